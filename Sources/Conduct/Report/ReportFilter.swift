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

    package init() {}
}
