/// The part of what was judged that a report is about (conduct contract, section 9).
package struct ReportFilter: Sendable {
    /// An e-mail address or id: only that user's clients.
    package var user: String?
    /// Only breaches and situations by exchanges later than this.
    package var since: UInt64 = 0
    /// The ids of rules; nil for all.
    package var rules: Set<String>?
    package var api: String?
    /// The rules that were chosen by an instance, as `rule instance`: only findings under that name.
    package var instances: Set<String> = []

    /// The exchanges whose breaches and situations were told before.
    package var told: Set<ExchangeMark> = []

    package init() {}
}

/// An exchange whatever journal it is in: a restored one has entries of the former under the same numbers.
package struct ExchangeMark: Hashable, Sendable {
    package var seq: UInt64
    /// The machine's microseconds at its begin.
    package var begin: Int64

    package init(seq: UInt64, begin: Int64) {
        self.seq = seq
        self.begin = begin
    }
}
