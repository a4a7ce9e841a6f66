import CivilTime
import JSON
import Traffic
import Transport

/// `log`: the newest exchanges of a world, and those that follow (clients contract, section 1).
package enum LogCommand: ServerCommand {
    package static let name = "log"
    package static let summary = "shows the newest exchanges of a world, and follows new ones"
    package static let part: CommandPart? = .looking
    package static let usage = "[-f] [-n N] [FILTER…]"
    package static let operands = Operands.filters
    package static let options = [
        Option(name: "lines", kind: .value("N"), letter: "n", help: "the number of exchanges to show", default: "20"),
        Option(name: "follow", kind: .toggle, letter: "f", help: "keeps showing new ones", default: "off"),
    ]
    package static let discussion = """
        FILTER is KEY:VALUE with \(TrafficFilter.Key.allCases.map(\.rawValue).joined(separator: ", ")), such as \
        status:4xx,5xx, path:/api/models, ms:100+, size:10k+, is:unmatched or is:violating. A dash in front negates it, \
        a comma between values is or. Other words are one phrase that the exchange has to contain.
        """
    package static let examples = [
        Example("understudy log -f status:4xx,5xx -path:/api/models", "failures, as they happen")
    ]

    private static let mostRemembered = 20_000
    private static let mostTries = 5

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        let filter: TrafficFilter
        do throws(FilterRefusal) {
            filter = try TrafficFilter(arguments.operands.joined(separator: " "))
        } catch {
            throw .usage("log: \(error)")
        }
        let count = try count(arguments["lines"])
        var log = TrafficLog(server, filter)
        guard arguments.isOn("follow") else {
            let items = try log.newest(count)
            guard !server.explains else { return ExitCode.ok }
            for item in items.reversed() { print(item, server) }
            if items.isEmpty, count > 0 {
                Terminal.error(arguments.operands.isEmpty ? "No requests yet." : "No request matches.")
            }
            return ExitCode.ok
        }
        if server.explains {
            _ = try log.newest(count)
            server.explainEvents()
            return ExitCode.ok
        }
        try follow(&log, count)
    }

    private static func count(_ text: String?) throws(CommandFailure) -> Int {
        guard let text else { return 20 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else {
            throw .usage("-n: \"\(text)\" is not a whole number from 0")
        }
        return count
    }

    private static func follow(_ log: inout TrafficLog, _ count: Int) throws(CommandFailure) -> Never {
        let server = log.server
        var shown = ShownExchanges(most: mostRemembered)
        var isFirst = true
        var copy = log
        try EventFollower(server).run { () throws(CommandFailure) in
            // After a gap, or in a server that was started anew, the journal has what was missed.
            let items = try copy.newest(isFirst ? max(count, 1) : 5_000, isEnded: true)
            let isNew = items.reversed().filter { (isFirst || shown.isRecent($0.json)) && shown.insert($0.json) }
            for item in isNew where !isFirst || count > 0 { print(item, server) }
            // What the first list leaves out is older than its newest, and is not shown later either.
            if isFirst, let newest = items.first { shown.begin(with: newest.json) }
            isFirst = false
        } event: { (kind, data) throws(CommandFailure) in
            guard kind == "request" || kind == "outcome" else { return }
            // One that is under way has its line at its end.
            if kind == "request", data["outcome"] == "held" { return }
            guard server.api == nil || data["api"]?.stringValue == server.api else { return }
            if let seq = data["entry"]?.intValue {
                guard let item = try copy.entry(seq), shown.insert(item.json) else { return }
                return print(item, server)
            }
            // A server whose events do not name the entry sends them just before the end.
            for _ in 0..<mostTries {
                let items = try copy.newest(50, isEnded: true)
                let isNew = items.reversed().filter { shown.isRecent($0.json) && shown.insert($0.json) }
                for item in isNew { print(item, server) }
                if isNew.contains(where: { $0.line.id == data["id"]?.stringValue }) { return }
                SystemThread.pause(.milliseconds(20))
            }
        }
    }

    private static func print(_ item: TrafficLog.Item, _ server: RunningServer) {
        if server.printsJSON { return Terminal.out(item.json.text) }
        Terminal.out(TrafficText(isColored: server.style.isColored, width: Terminal.columns).line(item.line))
    }
}

/// The exchanges that were printed, so that none is printed twice.
private struct ShownExchanges {
    private let most: Int
    private var keys = Set<String>()
    private var order: [String] = []

    /// The machine's time up to which everything counts as shown.
    private var start = ""

    init(most: Int) { self.most = most }

    /// Takes everything up to an exchange for shown.
    mutating func begin(with line: JSON) { start = line["startedAt"]?.stringValue ?? "" }

    /// Tells whether an exchange began later than what was shown at first.
    func isRecent(_ line: JSON) -> Bool { line["startedAt"]?.stringValue ?? "" > start }

    /// Notes an exchange; false if it was noted before.
    ///
    /// The machine's time tells apart equal ids of a server that was started anew.
    mutating func insert(_ line: JSON) -> Bool {
        let key = "\(line["id"]?.stringValue ?? "") \(line["startedAt"]?.stringValue ?? "")"
        guard keys.insert(key).inserted else { return false }
        order.append(key)
        if order.count > 2 * most {
            for old in order.prefix(most) { keys.remove(old) }
            order.removeFirst(most)
        }
        return true
    }
}
