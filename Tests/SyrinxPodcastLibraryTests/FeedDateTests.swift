import Foundation
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Dates of feeds") struct FeedDateTests {
    @Test(
        "Dates are read as feeds write them",
        arguments: [
            ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"), ("2 Oct 02 15:00 +0200", "2002-10-02T13:00:00Z"),
            ("Wednesday, 02 October 2002 08:00:00 EST", "2002-10-02T13:00:00Z"),
            ("Thu, 02 Oct 2002 13:00 GMT", "2002-10-02T13:00:00Z"), ("02-Oct-2002 13:00:00", "2002-10-02T13:00:00Z"),
            ("Wed 02 Oct 2002 09:00:00 GMT-0400 (EDT)", "2002-10-02T13:00:00Z"),
            ("Wed Oct 02 2002 09:00:00 GMT-0400 (Eastern Daylight Time)", "2002-10-02T13:00:00Z"),
            ("Wed Oct  2 13:00:00 2002", "2002-10-02T13:00:00Z"),
            ("Wed Oct  2 15:00:00 CEST 2002", "2002-10-02T13:00:00Z"),
            ("Wed, 02 Oct 2002 15:00:00 CEST", "2002-10-02T13:00:00Z"),
            ("Wed, 02 Oct 2002 14:00 CET", "2002-10-02T13:00:00Z"),
            ("Wed, 02 Oct 2002 15:00:00+0200", "2002-10-02T13:00:00Z"),
            ("Wed, 02 Oct 2002 15:00 +2:00", "2002-10-02T13:00:00Z"),
            ("Wed, 02 Oct 2002 13:00:00 UT", "2002-10-02T13:00:00Z"),
            ("Wed, 2 Oct 2002 18:30:00 +530", "2002-10-02T13:00:00Z"),
            ("October 2, 2002 13:00:00 +0000", "2002-10-02T13:00:00Z"),
            ("October 2nd, 2002, 1:00 pm", "2002-10-02T13:00:00Z"),
            ("Tue, 1 Sept 2020 10:00:00 +0000", "2020-09-01T10:00:00Z"),
            ("Tue, 01 Sep 2020 10:00 p.m.", "2020-09-01T22:00:00Z"),
            ("Tue, 01 Sep 2020 12:30 AM GMT", "2020-09-01T00:30:00Z"), ("01 Sep 2020 12:30 PM", "2020-09-01T12:30:00Z"),
            ("Tue, 01 Sep 2020 24:00:00 GMT", "2020-09-02T00:00:00Z"),
            ("\n Tue, 01 Sep 2020 10:00:00 GMT \n", "2020-09-01T10:00:00Z"),
            ("Tue, 01 Sep 2020", "2020-09-01T00:00:00Z"), ("10:00 1 Sep 2020", "2020-09-01T10:00:00Z"),
            ("Di, 01 März 2022 10:00:00 +0100", "2022-03-01T09:00:00Z"),
            ("mar., 01 sept. 2020 10:00:00", "2020-09-01T10:00:00Z"),
            ("1 de setembro de 2020", "2020-09-01T00:00:00Z"),
            ("jeu., 5 août 2021 10:00:00 +0200", "2021-08-05T08:00:00Z"),
            ("2002-10-02T13:00:00Z", "2002-10-02T13:00:00Z"), ("2002-10-02 15:00:00+02:00", "2002-10-02T13:00:00Z"),
            ("2002-10-02T15:00:00+02", "2002-10-02T13:00:00Z"), ("2002-10-02T13:00:00.123Z", "2002-10-02T13:00:00Z"),
            ("2002-10-02T13:00Z", "2002-10-02T13:00:00Z"), ("20021002T130000Z", "2002-10-02T13:00:00Z"),
            ("2002-10-02", "2002-10-02T00:00:00Z"), ("20021002", "2002-10-02T00:00:00Z"),
            ("2002-10", "2002-10-01T00:00:00Z"),
            ("2002", "2002-01-01T00:00:00Z"), ("2002-275", "2002-10-02T00:00:00Z"),
            ("2004-366", "2004-12-31T00:00:00Z"),
            ("2020/09/01 10:00:00", "2020-09-01T10:00:00Z"), ("9/1/2020 10:00:00 PM", "2020-09-01T22:00:00Z"),
            ("13/9/2020", "2020-09-13T00:00:00Z"), ("01.09.2020 10:00", "2020-09-01T10:00:00Z"),
            ("2020年9月1日 10:00", "2020-09-01T10:00:00Z"), ("1969-12-31", "1969-12-31T00:00:00Z"),
            ("Sun, 06 Nov 94 08:49:37 NOSUCH", "1994-11-06T08:49:37Z"),
            ("Wed, 02 Oct 2002 18:30 IST", "2002-10-02T13:00:00Z"),
        ]
    )
    func datesAreRead(text: String, date: String) throws {
        let seconds = try #require(FeedDates.seconds(text), "\(text)")
        #expect(Date(timeIntervalSince1970: seconds).ISO8601Format() == date, "\(text)")
    }

    @Test(
        "What is no date, or out of range, is left out",
        arguments: [
            "", "soon", "Sep", "10:00", "0000-00-00 00:00:00", "2020-13-01", "2020-00-10", "99 Sep 2020", "2020-400",
            "2019-366",
            "Tue, 01 Sep 2020 25:00:00", "Tue, 01 Sep 2020 10:61:00", "99999999999999999999-01-01",
            "2020-99999999999999999999-01",
            "1 Sep 99999999999999999999", "episode 12",
        ]
    )
    func othersAreLeftOut(text: String) {
        #expect(FeedDates.seconds(text) == nil)
    }

    @Test("The first valid date of publication counts, and that of a change only without one")
    func severalDates() throws {
        func published(_ elements: String) throws -> Double? {
            let feed =
                "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><item><guid>1</guid>\(elements)</item></channel></rss>"
            return try parse(feed).episodes.first?.published
        }
        let first = "<pubDate>1 Sep 2020</pubDate>"
        #expect(try published("<dc:date>2021-01-01</dc:date>\(first)<pubDate>soon</pubDate>") == 1_598_918_400)
        #expect(try published("<pubDate>soon</pubDate><dc:date>2020-09-01</dc:date>") == 1_598_918_400)
    }
}
