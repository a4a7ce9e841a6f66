import Backend
package import Proxying

extension OfflineDiff.Order {
    /// Compares with an API of this build, which begins with these seeds.
    ///
    /// - Parameters:
    ///   - api: The name of an API of the catalogue, or that of the custom one.
    ///   - own: The custom API; nil for a built-in one.
    ///   - seeds: The place of its seeds.
    ///   - seed: The seed of chance.
    package init(api: String, own: CustomAPIPlace? = nil, seeds: SeedSource, seed: UInt64) {
        self.init(seed: seed) { () throws(SeedError) in
            if let own {
                guard let loaded = try CustomAPILoad([own]).apis.first else {
                    preconditionFailure("no API was read of \(own.name)")
                }
                return loaded
            }
            guard let loaded = try APICatalogue.load([api], from: seeds).first else {
                preconditionFailure("no API is named \(api)")
            }
            return loaded
        } others: {
            APICatalogue.builtInAPIs(except: [api])
        } recordings: { () throws(RecordingError) in
            guard let own, let recordings = (try? CustomAPILoad([own]))?.recordings.first else { return nil }
            return try recordings.prepared(api: 0)
        }
    }
}
