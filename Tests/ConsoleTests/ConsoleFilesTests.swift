import Compression
import Crypto
import Foundation
import TestSupport
import Testing

@testable import Console

/// Console contract, sections 10, 11 and 28: the files of the binary are those of `Sources/Console/Web`.
@Suite struct ConsoleFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Console/Web")
    private static let served = ["html", "js", "css", "svg"]

    /// The files of the folder by their path, and their content.
    private static func files() throws -> [(name: String, text: String)] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try all.filter { served.contains(URL(filePath: $0).pathExtension) }.sorted().map {
            ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
    }

    @Test func `console 10 the embedded files are those of the folder`() throws {
        let files = try Self.files()
        #expect(files.count > 20)
        expectEqual(ConsoleFiles.all.map(\.name), files.map(\.name), "make console")
        for (embedded, file) in zip(ConsoleFiles.all, files) {
            let packed = try #require(Base64.decode(embedded.gzip))
            let plain = try Inflater.inflate(packed, .gzip, limit: 1 << 20)
            // Lines of comments are for those who read the source.
            let comment = #"(?m)^[ \t]*(//.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n"#
            var served = file.text
            if file.name.hasSuffix(".js") {
                served = served.replacingOccurrences(of: comment, with: "", options: .regularExpression)
            }
            expectEqual(String(decoding: plain, as: UTF8.self), served, "\(file.name): make console")
        }
    }

    @Test func `console 10 every module is checked, and no file has more than 400 lines`() throws {
        for file in try Self.files() {
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(file.name)")
            if file.name.hasSuffix(".js") { #expect(file.text.hasPrefix("// @ts-check\n"), "\(file.name)") }
        }
    }

    @Test func `console 26 no module evaluates text or writes markup`() throws {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "new Worker",
            "document.cookie",
            "createPolicy", ".style.cssText", "http://", "https://",
        ]
        for file in try Self.files() where file.name.hasSuffix(".js") {
            // The name of a vocabulary is no address to read.
            let text = file.text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            for word in forbidden { #expect(!text.contains(word), "\(file.name): \(word)") }
        }
        let page = try #require(try Self.files().first { $0.name == "index.html" })
        #expect(!page.text.contains(" style="))
        #expect(!page.text.contains("<script>"))
    }

    @Test func `console 28 the files stay small`() throws {
        func size(_ suffix: String) -> Int {
            // The documentation pages are pages of their own.
            ConsoleFiles.all.filter { $0.name.hasSuffix(suffix) && !$0.name.hasPrefix("docs/") }.reduce(0) {
                $0 + (Base64.decode($1.gzip)?.count ?? 0)
            }
        }
        #expect(size(".js") <= 100 * 1_024)
        #expect(size(".css") <= 12 * 1_024)
    }
}
