import Testing

@testable import SyrinxDesktopModel

@Suite struct RendererSettingsTests {
    @Test func `OpenGL is not loaded where Cairo is chosen to draw`() {
        #expect(RendererSettings.debugFlags([:]) == nil)
        #expect(RendererSettings.debugFlags(["GSK_RENDERER": "gl"]) == nil)
        #expect(RendererSettings.debugFlags(["GSK_RENDERER": "cairo"]) == "gl-disable")
        #expect(RendererSettings.debugFlags(["GSK_RENDERER": "cairo", "GDK_DEBUG": "misc"]) == "misc,gl-disable")
    }

    @Test func `A choice of OpenGL by the listener stays`() {
        #expect(RendererSettings.debugFlags(["GSK_RENDERER": "cairo", "GDK_DEBUG": "gl-glx"]) == nil)
    }
}
