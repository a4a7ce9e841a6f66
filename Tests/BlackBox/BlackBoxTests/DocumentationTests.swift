import Foundation
import JSON
import TestSupport
import Testing

/// The examples of docs/, run as they are written.
@Suite struct DocumentationTests {
    @Test(arguments: try DocumentedPage.names())
    func `the examples of a page print what it shows`(name: String) throws {
        let page = try DocumentedPage(name)
        guard !page.examples.isEmpty else { return }
        // The sample recordings are where a page about them expects them.
        let folder = try Folder()
        for api in SampleRecordingTests.apis {
            try folder.write(
                "recordings/\(api).har",
                String(decoding: try SampleRecordingTests.data(api), as: UTF8.self)
            )
        }
        let served = try Served(["--clock", "frozen:2025-01-01T12:00:00Z"], in: folder)
        let offsets = ["sawaed": 1, "carbscan": 2, "omnichat": 3, "trafikskola": 4, "trendy": 5]
        var ports = [(documented: 4680, hostTime: served.hub)]
        for (api, offset) in offsets.sorted(by: { $0.value < $1.value }) {
            guard let port = served.ready["apis"]?[api]?.stringValue?.split(separator: ":").last.flatMap({ Int($0) })
            else { continue }
            ports.append((4680 + offset, port))
        }
        let shell = try Shell(page.script(ports: ports))
        let outputs = page.outputs(of: shell.output, ports: ports)
        for (example, printed) in zip(page.examples, outputs) {
            guard let expected = example.expected, let language = example.language else { continue }
            let difference = Printed.difference(expected, printed, language: language)
            expectNil(difference, "docs/\(name):\(example.line)\n\(printed)\n\(shell.errors)")
        }
    }

    @Test func `a page has no example that is not run`() throws {
        // A block that names curl runs; the check itself must not pass because it finds nothing.
        let counts = try DocumentedPage.names().map { try DocumentedPage($0).examples.count }
        #expect(counts.reduce(0, +) >= 10)
    }

    @Test func `the ports of a page become the real ones, whatever these are`() {
        let page = "http://127.0.0.1:4680/a http://127.0.0.1:4681/b :46800 12:30:00"
        expectEqual(
            DocumentedPage.renumbered(page, [4680: 46_812, 4681: 46_805]),
            "http://127.0.0.1:46812/a http://127.0.0.1:46805/b :46800 12:30:00"
        )
        expectEqual(
            DocumentedPage.renumbered(":46812 :46805 :4681", [46_812: 4680, 46_805: 4681]),
            ":4680 :4681 :4681"
        )
    }

    @Test func `what a page shows is held against what was printed`() {
        expectNil(Printed.difference(#"{"a":"x…","…":"…"}"#, #"{"a":"xyz","b":1}"#, language: "json"))
        #expect(Printed.difference(#"{"a":"x…"}"#, #"{"a":"xyz","b":1}"#, language: "json") != nil)
        expectNil(Printed.difference(#"{"a":["…"]}"#, #"{"a":[1,2]}"#, language: "json"))
        #expect(Printed.difference(#"{"a":[1]}"#, #"{"a":[1,2]}"#, language: "json") != nil)
        expectNil(Printed.difference("HTTP/1.1 200 …\n…", "HTTP/1.1 200 OK\r\nDate: x", language: "text"))
        #expect(Printed.difference("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", language: "text") != nil)
    }
}

/// A script that was run by a shell.
struct Shell {
    let output: String
    let errors: String

    init(_ script: String) throws {
        let folder = try Folder(["script": script, "out": "", "err": ""])
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [folder.url.appendingPathComponent("script").path]
        process.currentDirectoryURL = folder.url
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        process.standardOutput = .file(try FileHandle(forWritingTo: folder.url.appendingPathComponent("out")))
        process.standardError = .file(try FileHandle(forWritingTo: folder.url.appendingPathComponent("err")))
        process.standardInput = .null
        try process.run()
        try Deadline().wait(for: "the examples") { !process.isRunning }
        process.waitUntilExit()
        output = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("out")), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("err")), as: UTF8.self)
    }
}
