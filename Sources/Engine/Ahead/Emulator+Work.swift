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
        // Most processes have neither own APIs, nor stubs, nor large states.
        let isPlain = api.isOfBuild && !hasLargeWorlds && !hasSeveralWorlds && mainWorld.world.stubs.isEmpty
        guard isLong || !isPlain, let hosted = world(of: exchange) else { return false }
        if isLong, exchange.context.isRouted || !api.isBuiltIn || hosted.world.stubs.has(apiNames[index]) {
            return true
        }
        if !api.isOfBuild, hosted.world.makeState(index) { weigh(hosted, index) }
        var work = fillingWork(exchange, hosted.world)
        if work <= WorkBudget.inPlace {
            work += api.work(on: exchange.context.match, exchange.call, hosted.world, index)
        }
        return work > WorkBudget.inPlace
    }

    /// Returns the nanoseconds that filling the answer of a stub takes at most.
    private func fillingWork(_ exchange: Exchange, _ world: World) -> Int {
        let name = apiNames[exchange.apiIndex]
        guard world.stubs.has(name) else { return 0 }
        let stubs = world.stubs.load(name, exchange.call.method, exchange.context.address.path.segments)
        guard !stubs.hasManyShapes else { return WorkBudget.endless }
        return exchange.call.work(of: stubs.filling)
    }
}

extension Call {
    /// Returns the approximate nanoseconds of filling a template for this request.
    package func work(of load: TemplateLoad) -> Int {
        let line = path.text.utf8.count + (request.head.target.rawQuery?.utf8.count ?? 0)
        return load.work(line: line, fields: fields.wire.count, body: request.body.bytes.count)
    }
}
