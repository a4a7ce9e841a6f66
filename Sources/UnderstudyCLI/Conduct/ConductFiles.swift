import Backend
import CivilTime
import ClientCommands
import Conduct
import ConductKit
import HTTPMessage
import JSON
import Proxying
import Recording
import Transport
import Understudy
import Worlds

/// The judgement of files, without a server (conduct contract, section 13).
enum ConductFiles {
    /// The machine's date in UTC.
    static var today: String { String(TimeSource.system.wall().iso8601(.milliseconds).prefix(10)) }

    /// Reads a baseline.
    static func baseline(_ path: String?) throws(UsageError) -> [ConductSettings.BaselineEntry] {
        guard let path else { return [] }
        let bytes = try NamedFile.bytes(of: path)
        do throws(Baseline.Fault) {
            return try Baseline.read(bytes)
        } catch {
            throw UsageError(message: "\(path):\(error.line): \(error.path): \(error.reason)", isAboutLine: false)
        }
    }

    /// The API as whose traffic files are read.
    static func api(_ name: String, _ own: CustomAPICatalogue) throws(UsageError) -> FileAPI {
        let known = APICatalogue.names + own.names
        guard known.contains(name) else {
            throw UsageError(message: "--api: \(LoadedAPIs.unknown(name, among: known))")
        }
        guard let api = try LoadedAPIs.load([name], own: own).first else {
            throw UsageError(message: "--api: \(LoadedAPIs.unknown(name, among: known))")
        }
        let routes = api.routes
        return FileAPI(APIKnowledge(name: name, routes: routes, adding: APICatalogue.rules[api: name])) {
            method,
            text in
            guard let path = Path(raw: text) else { return .unknown }
            switch api.match(method, path) {
            case .endpoint(let index, _): return .operation(template: routes[index].template)
            case .otherMethod: return .otherMethod
            case .unknownPath: return .unknown
            }
        }
    }

    /// Reads files in their order; every oddity is told on standard error.
    static func read(_ paths: [String], into traffic: inout FileTraffic) throws(CommandFailure) {
        for path in paths {
            let name = RecordingFiles.inputName(path)
            traffic.begin(name)
            let file: DataFile
            do throws(Errno) {
                file = try .reading(name)
            } catch {
                throw .failed("\(path): \(error.unreadable)")
            }
            do throws(RecordingError) {
                var gathered = traffic
                let read = try RecordingReader.read(file, name: path) { gathered.add($0.entry, $0.index) }
                gathered.end(creator: read.creator)
                traffic = gathered
                for oddity in read.oddities { Terminal.error("understudy: \(oddity.text(in: path))".withoutControls) }
            } catch {
                throw .failed(error.text)
            }
        }
        if let reason = traffic.reasonOfNone {
            Terminal.error("understudy: warning: nothing is judged: \(reason)".withoutControls)
        }
        for oddity in traffic.oddities { Terminal.error("understudy: \(oddity.text)".withoutControls) }
    }
}
