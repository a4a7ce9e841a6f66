import Foundation
import TestSupport
import Testing

@testable import APIDocs

/// The pages of the binary are those of `Sources/APIDocs/Pages`.
@Suite struct PageFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/APIDocs/Pages")

    @Test func `the embedded files are those of the folder`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        expectEqual(PageFiles.all.map(\.name), names)
        for file in PageFiles.all {
            let text = try String(contentsOf: Self.folder.appending(path: file.name), encoding: .utf8)
            expectEqual(file.text, text, "\(file.name): make pages")
        }
    }
}
