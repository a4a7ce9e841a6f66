import Backend
import CivilTime
import Conduct
package import ConductKit
package import Engine
package import ForwardProxy
package import JSON
package import Journal
import Worlds

/// A world's journal with all that the judgement of its clients needs, to be judged elsewhere while the world continues.
package struct ConductJudgement: Sendable {
    package let world: String
    package let journal: JournalCopy
    package let settings: ConductSettings
    private let stamp: JournalStamp
    private let epochs: [UInt64]
    private let readers: [String: CredentialReader]
    private let keeper: ConductKeeper
    /// The hosts that the forward proxy was asked for, and that are in no journal.
    package let hosts: AskedHosts

    package init(
        _ hosted: Emulator.HostedWorld,
        _ emulator: Emulator,
        _ rules: RuleRegistry,
        proxy: ForwardProxyState?
    ) {
        world = hosted.world.name
        hosts = proxy.map { AskedHosts($0.seen.list(world: hosted.world.name)) } ?? AskedHosts()
        journal = emulator.journal(of: hosted)
        settings = ConductSettings(stored: hosted.world.conduct, rules)
        stamp = hosted.world.journalStamp
        epochs = hosted.world.journalEpochs
        readers = Self.readers(of: hosted.world, emulator)
        keeper = Self.keeper(of: hosted, emulator, rules)
    }

    /// The report; `change` changes the facts that the journal does not tell.
    package func report(
        _ filter: ReportFilter = ReportFilter(),
        today: String,
        change: @Sendable (inout ReportContext) -> Void = { _ in }
    ) -> JudgementReport {
        keeper.report(judged(today), filter: filter, change: change)
    }

    /// The exchanges of an API, or of all, that have ended, by which a later journal can be told from this one.
    package func marks(api: String?) -> Set<ExchangeMark> {
        var marks: Set<ExchangeMark> = []
        journal.entries.forEachPlaceOldestFirst(after: 0) { place in
            if let entry = place.entry, entry.outcome != nil, api == nil || entry.api == api {
                marks.insert(ExchangeMark(seq: entry.seq, begin: entry.startedAt.microseconds))
            }
            return true
        }
        return marks
    }

    /// The journal with all digests, which may take long.
    fileprivate func judged(_ today: String) -> JudgedWorld {
        JudgedWorld(
            world,
            journal.hashed,
            stamp: stamp,
            epochs: epochs,
            settings: settings,
            readers: readers,
            today: today,
            hosts: hosts
        )
    }

    private static func keeper(
        of hosted: Emulator.HostedWorld,
        _ emulator: Emulator,
        _ rules: RuleRegistry
    ) -> ConductKeeper {
        if let keeper = hosted.judgement as? ConductKeeper { return keeper }
        let keeper = ConductKeeper(rules, knowledge: knowledge(emulator, rules))
        hosted.judgement = keeper
        return keeper
    }

    private static func readers(of world: World, _ emulator: Emulator) -> [String: CredentialReader] {
        var readers: [String: CredentialReader] = [:]
        for (index, api) in emulator.apis.enumerated() where !api.isBuiltIn {
            readers[api.identity.name] = api.hooks.credentialReader(world, index)
        }
        return readers
    }

    /// The knowledge that rules have of the APIs.
    fileprivate static func knowledge(_ emulator: Emulator, _ rules: RuleRegistry) -> [APIKnowledge] {
        emulator.apis.map { api in
            let name = api.identity.name
            return APIKnowledge(name: name, routes: api.routes, adding: rules[api: name])
        }
    }
}

extension AskedHosts {
    /// The hosts without an API, the first ones first.
    fileprivate init(_ seen: [SeenHosts.Item]) {
        let items = seen.filter { $0.api == nil }.sorted { ($0.firstSeen, $0.key.text) < ($1.firstSeen, $1.key.text) }
        self.init(
            count: items.reduce(0) { $0 + $1.count },
            others: items.filter(\.isOther).map { item in
                AskedHosts.Other(
                    host: item.key.host,
                    port: item.key.port,
                    method: item.method,
                    count: item.count,
                    first: item.firstSeen,
                    last: item.lastSeen
                )
            }
        )
    }
}

/// The live judgement of a world (conduct contract, section 15).
package final class ConductWatch: Sendable {
    private let listener: ConductListener

    package init(_ emulator: Emulator, _ rules: RuleRegistry) {
        listener = ConductListener(rules, knowledge: ConductJudgement.knowledge(emulator, rules))
    }

    /// The members of an event for each finding that was not there before; none at the first call.
    package func news(_ judgement: ConductJudgement, today: String) -> [JSONObject] {
        listener.news(judgement.judged(today)).map(\.eventMembers)
    }
}
