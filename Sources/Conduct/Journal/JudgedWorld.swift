package import Backend
package import ConductKit
package import Journal
package import Worlds

/// Everything that the judgement of a world reads: copies, so that it can be judged elsewhere while the world continues.
package struct JudgedWorld: Sendable {
    package var name: String
    package var journal: Journal
    /// The journal as it goes on: another one once entries were cleared, or another state took this one's place.
    package var stamp: JournalStamp?
    /// The numbers of the entries with which earlier epochs ended.
    package var epochs: [UInt64]
    package var settings: ConductSettings
    /// The readers of the credentials that only their API can read, by its name.
    package var readers: [String: CredentialReader]
    /// The machine's date in UTC, as `2027-03-31`.
    package var today: String
    /// The hosts that the forward proxy was asked for, and that are in no journal.
    package var hosts: AskedHosts

    package init(
        _ name: String,
        _ journal: Journal,
        stamp: JournalStamp? = nil,
        epochs: [UInt64] = [],
        settings: ConductSettings = ConductSettings(),
        readers: [String: CredentialReader] = [:],
        today: String = "",
        hosts: AskedHosts = AskedHosts()
    ) {
        self.name = name
        self.journal = journal
        self.stamp = stamp
        self.epochs = epochs
        self.settings = settings
        self.readers = readers
        self.today = today
        self.hosts = hosts
    }

    /// The facts of a report on the whole journal.
    var context: ReportContext {
        let range = journal.range
        var context = ReportContext(
            world: name,
            journal: JudgementReport.JournalRange(
                from: range?.lowerBound,
                to: range?.upperBound,
                entries: journal.count,
                isComplete: journal.dropped == 0
            )
        )
        context.today = today
        context.hosts = hosts
        return context
    }
}
