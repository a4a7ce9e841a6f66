package import Transport

/// The queues for work that takes too long for the loop, each with threads of its own, so that no queue delays another
/// (control contract, section 17).
///
/// Belongs to the loop's thread.
package final class WorkLines {
    /// Pictures of the APIs' clients: one at a time, since a large one takes hundreds of megabytes.
    let pictures: WorkLine
    /// Other long content of the APIs' clients.
    let bodies: WorkLine
    /// Requests that are held against more expressions than others could wait for.
    let matches: WorkLine
    /// Answers that take long to make.
    let parts: WorkLine
    /// Control calls that search a journal, and after them the searches for waiting calls.
    let searches: WorkLine
    /// Control calls with answers of any length.
    let answers: WorkLine
    /// Control calls whose bodies are read.
    let orders: WorkLine
    /// Worlds and recordings that are read.
    let imports: WorkLine
    /// Work that nothing waits for: digests, and freeing discarded objects.
    package let chores: WorkerPool

    private let all: [WorkLine]

    init(_ server: Server, capacity: Int) {
        chores = server.makePool()
        pictures = WorkLine(server.makePool(), chores: chores, capacity: capacity)
        bodies = WorkLine(server.workers, chores: chores, abreast: server.limits.workers, capacity: capacity)
        matches = WorkLine(server.makePool(), chores: chores, capacity: capacity)
        parts = WorkLine(server.makePool(threads: 2), chores: chores, abreast: 2, capacity: capacity)
        searches = WorkLine(server.makePool(), chores: chores, capacity: capacity, canGiveWay: true)
        answers = WorkLine(server.makePool(), chores: chores, capacity: capacity, canGiveWay: true)
        orders = WorkLine(server.makePool(), chores: chores, capacity: capacity)
        imports = WorkLine(server.makePool(), chores: chores, capacity: capacity)
        all = [pictures, bodies, matches, parts, searches, answers, orders, imports]
    }

    /// Drops the work for an exchange that is over.
    func ended(_ exchange: UInt64) { for line in all where !line.isIdle { line.ended(exchange) } }

    /// Lowers the priority of the work for an exchange whose client has ended its side.
    func left(_ exchange: UInt64) { for line in all where !line.isIdle { line.left(exchange) } }
}
