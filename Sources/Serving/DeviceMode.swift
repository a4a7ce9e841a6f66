/// Offers of the running server to phones on the network (transport contract, section 8).
package struct DeviceMode: Sendable {
    /// The address of the device page as phones reach it; nil without `--lan`.
    package var page: String?
    /// The link into an app, with `{base}` in place of an API's address; nil for none.
    package var link: String?
    /// Tells that modes with a real backend are refused.
    package var keepsUpstream = false

    package init() {}
}
