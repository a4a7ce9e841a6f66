import Backend
import CivilTime

/// The effects of a complete reply: the message gets its text, the conversation moves to the top, and usage is
/// recorded.
///
/// Contract, sections 6.2 and 8.3. There are no effects if the conversation was removed meanwhile.
struct Completion: Sendable {
    let userID: String
    let message: String
    let input: String
    let text: String
    /// The instant of the request; the usage counts for its day.
    let sentAt: Instant
    /// The anchors of the world, which stay the same until the reply is complete.
    let epoch: Epoch

    func apply(_ state: inout OmniChatState, _ core: inout WorldCore, _ now: Instant) {
        guard var row = state.messages[message] else { return }
        row.content = text
        row.isComplete = true
        row.tokensGenerated = text.utf16.count
        state.messages.insert(row)
        state.conversations.update(row.conversationId) { $0.updatedAt = .at(now) }
        book(model: row.model ?? "", &state, &core)
    }

    private func book(model: String, _ state: inout OmniChatState, _ core: inout WorldCore) {
        let cost = Reply.cost(model: model, input: input, output: text)
        let day = sentAt.flooredToDay
        var usage =
            state.usage.rows(in: userID).first { $0.day.resolved(in: epoch).flooredToDay == day }
            ?? UsageDay(
                id: "\(userID)/\(day.isoDay)",
                userId: userID,
                day: .at(day),
                batteryUsed: 0,
                messages: 0,
                models: []
            )
        usage.batteryUsed = usage.batteryUsed.addingClamped(cost)
        usage.messages = usage.messages.addingClamped(1)
        if let place = usage.models.firstIndex(where: { $0.model == model }) {
            usage.models[place].count = usage.models[place].count.addingClamped(1)
        } else {
            usage.models.append(UsageDay.ModelCount(model: model, count: 1))
        }
        state.usage.insert(usage)

        guard var battery = state.users[userID]?.battery else { return }
        battery.totalBalance = max(0, battery.totalBalance.subtractingClamped(cost))
        state.users.update(userID) { $0.battery = battery }
        state.transactions.insert(
            Transaction(
                id: OmniChatState.newID(.transaction, &core) { state.transactions.contains($0) },
                userId: userID,
                type: .usage,
                amount: -cost,
                balanceAfter: battery.totalBalance,
                description: "Message with \(model)",
                createdAt: .at(sentAt)
            )
        )
    }
}
