package import HTTPMessage

/// What is done with the content of a request before it is answered.
extension Emulator {
    /// What a worker should do with a request before it is answered.
    package struct PendingPreparation {
        package var run: Preparation
        /// It takes long however little content there is.
        package var isSlow: Bool
    }

    /// What a worker should do with a request before it is answered; nil if nothing takes long.
    ///
    /// `isTried`: what takes long is only done for a request that comes as far as its endpoint.
    package func preparation(
        for request: Request,
        address: Address,
        api index: Int,
        peer: String,
        isTried: Bool = true,
        at real: RealTime
    ) -> PendingPreparation? {
        let isLong = request.body.bytes.count > Self.longestInPlace
        guard isLong || (apis[index].hasSlowPreparations && !request.body.isEmpty),
            case .endpoint(let place, _) = apis[index].match(request.head.method, address.path),
            let prepare = apis[index].preparations[place]
        else { return nil }
        let isSlow = apis[index].slowPreparations[place]
        guard isSlow || isLong else { return nil }
        // Nobody's credential keeps the workers busy.
        if isSlow, isTried, !reachesEndpoint(request, address: address, api: index, peer: peer, at: real) {
            return nil
        }
        let run: Preparation = { [bounds = configuration.bounds] request in
            var request = request
            request.bounds = bounds
            return prepare(request)
        }
        return PendingPreparation(run: run, isSlow: isSlow)
    }

    /// A shorter body is prepared where it is: handing it over would take longer.
    private static let longestInPlace = 4_096
}
