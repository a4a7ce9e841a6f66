package import Backend
import Conditions
import HTTPMessage
package import Templates
import Worlds

/// The judgement of the work on a request before it is done (control contract, section 17).
///
/// It goes by the work to come, such as rows times conditions or the length of what is filled in, and not by the length
/// that came.
extension Emulator {
    /// The length of a body up to which its endpoint works on the loop, whatever it does with each byte.
    private static let longestBodyInPlace = 8 * 1024

    /// Returns whether the answer to a request may take longer to make than the loop can spare.
    package func takesLong(_ exchange: Exchange) -> Bool {
        let (api, index) = (apis[exchange.apiIndex], exchange.apiIndex)
        let isLong = exchange.call.request.body.bytes.count > Self.longestBodyInPlace
        // Most processes have neither custom APIs, nor stubs, nor large states.
        let isPlain = api.isOfBuild && !hasLargeWorlds && !hasSeveralWorlds && mainWorld.world.stubs.isEmpty
        guard isLong || !isPlain, let hosted = world(of: exchange) else { return false }
        if isLong, exchange.context.isRouted || !api.isBuiltIn || hosted.world.stubs.has(apiNames[index]) {
            return true
        }
        if !api.isOfBuild, hosted.world.makeState(index) { weigh(hosted, index) }
        let own = ownWork(exchange, api, in: hosted)
        // Nearly every book of stubs is so small that nobody need know which of them the request can fit.
        if let most = mostFilling(exchange, in: hosted), most + own <= WorkBudget.inPlace { return false }
        let work = fillingWork(exchange, in: hosted)
        return work > WorkBudget.inPlace || work + own > WorkBudget.inPlace
    }

    /// Returns the nanoseconds of the API's own work.
    private func ownWork(_ exchange: Exchange, _ api: AnyAPI, in hosted: HostedWorld) -> Int {
        let (index, match) = (exchange.apiIndex, exchange.context.match)
        let isHome = hosted.world.parts[index].api === api
        if isHome, let work = api.hooks.settledWork?(match, hosted.world.stubs.count) { return work }
        return api.work(on: match, exchange.call, hosted.world, index)
    }

    /// Returns a bound of the nanoseconds that filling the answer of any stub takes; nil if there is none.
    private func mostFilling(_ exchange: Exchange, in hosted: HostedWorld) -> Int? {
        let name = apiNames[exchange.apiIndex]
        guard hosted.world.stubs.has(name) else { return 0 }
        let most = hosted.world.stubs.mostLoad(name)
        guard !most.hasManyShapes, !most.filling.looksAtRequest else { return nil }
        return most.filling.work(line: 0, fields: 0, body: 0)
    }

    /// Returns the nanoseconds that filling the answer of a stub takes at most.
    private func fillingWork(_ exchange: Exchange, in hosted: HostedWorld) -> Int {
        let name = apiNames[exchange.apiIndex]
        guard hosted.world.stubs.has(name) else { return 0 }
        let head = exchange.call.request.head
        let stubs = hosted.world.stubs.load(name, head.method, exchange.context.address.path.segments)
        guard !stubs.hasManyShapes else { return WorkBudget.endless }
        return exchange.call.work(of: stubs.filling)
    }
}

extension Call {
    /// Returns the approximate nanoseconds of filling a template for this request.
    package func work(of load: TemplateLoad) -> Int {
        load.work(
            line: path.text.utf8.count + (request.head.target.rawQuery?.utf8.count ?? 0),
            fields: fields.wire.count,
            body: request.body.bytes.count
        )
    }
}
