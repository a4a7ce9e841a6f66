import Foundation

/// One line of a source, with comments and the contents of text literals taken out.
struct SourceLine {
    var file: String
    var number: Int
    var code: String
    /// The line of the file, including comments.
    var text: String

    var place: String { "\(file):\(number)" }
}

struct SourceFile {
    /// The path below the package's root.
    var path: String
    var target: String
    var lines: [SourceLine]
    /// Tells whether a script generates the file.
    var isGenerated: Bool { path.hasSuffix(".generated.swift") }

    init(path: String, target: String, text: String) {
        self.path = path
        self.target = target
        let codes = CodeScanner.code(of: text)
        let texts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines = zip(texts, codes).enumerated().map { place, line in
            SourceLine(file: path, number: place + 1, code: line.1, text: line.0)
        }
        if lines.last?.text.isEmpty == true { lines.removeLast() }
    }
}

/// The package's sources, found relative to this test.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Those of the program, and those of the packages for clients.
    static let files = files(below: "Sources") + files(below: "clients/swift/TrendyOnboarding/Sources")

    /// Those of the packages that have `expectEqual`: the tests of `Examples`, which people copy, have what everyone has.
    static let tests = files(below: "Tests") + files(below: "clients/swift/TrendyOnboarding/Tests")

    private static func files(below name: String) -> [SourceFile] {
        let folder = root.appending(path: name).resolvingSymlinksInPath()
        let found = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        var files: [SourceFile] = []
        while let url = found?.nextObject() as? URL {
            let file = url.resolvingSymlinksInPath()
            // A link leads to files that are read in their own folder.
            guard file.pathExtension == "swift", file.path.hasPrefix(folder.path + "/"),
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            let parts = file.pathComponents.dropFirst(folder.pathComponents.count)
            // The folder of the APIs has one for each.
            guard let target = parts.first(where: { $0 != "Backends" }) else { continue }
            files.append(SourceFile(path: "\(name)/" + parts.joined(separator: "/"), target: target, text: text))
        }
        return files.sorted { $0.path < $1.path }
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
