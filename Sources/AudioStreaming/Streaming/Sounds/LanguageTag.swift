/// Languages in one form: containers and users name them by ISO 639-1, by both codes of ISO 639-2, and by BCP 47.
enum LanguageTag {
    /// Returns a tag of BCP 47 with the shortest code of the language; `nil` for one that says nothing.
    static func canonical(_ tag: String) -> String? {
        let parts = tag.split(maxSplits: 1) { $0 == "-" || $0 == "_" }
        guard let first = parts.first?.lowercased(), !nothing.contains(first) else { return nil }
        let rest = parts.dropFirst().map { $0.split(separator: "_").joined(separator: "-") }
        return ([shortest[first] ?? first] + rest).joined(separator: "-")
    }

    /// The codes of what is undetermined, several, none, or of a language without a code.
    private static let nothing: Set = ["und", "mul", "zxx", "mis"]

    /// The codes of ISO 639-1 by those of ISO 639-2.
    private static let shortest: [String: String] = {
        let codes = (terminological + bibliographic).split { $0 == " " || $0 == "\n" }.map(String.init)
        let pairs = stride(from: 0, to: codes.count - 1, by: 2).map { (codes[$0], codes[$0 + 1]) }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The codes of three letters that are used in a language, each before its code of two.
    private static let terminological = """
        aar aa abk ab afr af aka ak amh am ara ar arg an asm as ava av ave ae aym ay aze az bak ba bam bm
        bel be ben bn bis bi bod bo bos bs bre br bul bg cat ca ces cs cha ch che ce chu cu chv cv cor kw
        cos co cre cr cym cy dan da deu de div dv dzo dz ell el eng en epo eo est et eus eu ewe ee fao fo
        fas fa fij fj fin fi fra fr fry fy ful ff gla gd gle ga glg gl glv gv grn gn guj gu hat ht hau ha
        heb he her hz hin hi hrv hr hun hu hye hy ibo ig ido io iii ii iku iu ile ie ina ia ind id ipk ik
        isl is ita it jav jv jpn ja kal kl kan kn kas ks kat ka kau kr kaz kk khm km kik ki kin rw kir ky
        kom kv kon kg kor ko kua kj kur ku lao lo lat la lav lv lim li lin ln lit lt ltz lb lub lu lug lg
        mah mh mal ml mar mr mkd mk mlg mg mlt mt mon mn mri mi msa ms mya my nau na nav nv nbl nr nde nd
        ndo ng nep ne nld nl nno nn nob nb nor no nya ny oci oc oji oj ori or orm om oss os pan pa pli pi
        pol pl por pt pus ps que qu roh rm ron ro run rn rus ru sag sg san sa sin si slk sk slv sl sme se
        smo sm sna sn snd sd som so sot st spa es sqi sq srd sc srp sr ssw ss sun su swa sw swe sv tam ta
        tat tt tel te tgk tg tha th tir ti ton to tsn tn tso ts tuk tk tur tr twi tw uig ug ukr uk urd ur
        uzb uz ven ve vie vi vol vo wln wa wol wo xho xh yid yi yor yo zha za zho zh zul zu

        """

    /// The codes of three letters that libraries use, where they are others.
    private static let bibliographic = """
        alb sq arm hy baq eu bur my chi zh cze cs dut nl fre fr geo ka ger de gre el ice is mac mk mao mi may ms per fa
        rum ro slo sk tib bo wel cy
        """
}
