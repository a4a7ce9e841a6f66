import HTTPMessage

extension Call {
    /// Returns the prefix of links that are fetched without any credential (control contract, section 4).
    ///
    /// If the caller's token alone has selected the world, the caller's own address does not lead to it, so the link
    /// names it. `authority` is the one that the caller addressed.
    package func prefix(leadingTo world: String, authority: String?) -> String {
        // Without a name `main` is found, unless every request has to lead to its world.
        guard world != WorldName.main || isWorldRequired, !linkPrefix.hasPrefix("/@"), !fields.contains(.world),
            authority.flatMap({ Address.worldLabel(ofHost: $0, namesFaults: request.head.isSecure != nil) }) == nil
        else { return linkPrefix }
        return "/@\(world)" + linkPrefix
    }
}
