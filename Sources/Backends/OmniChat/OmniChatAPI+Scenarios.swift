package import Backend
import CivilTime

/// A change of rows that a scenario of OmniChat makes (contract, section 11).
package struct OmniChatChange: Decodable, Sendable {
    enum Operation: String, Decodable, CaseIterable, Sendable {
        /// Removes every stored refresh token.
        case revokeRefreshTokens
        /// Leaves every caller `count` requests in a window of a minute.
        case leaveRequests
        /// Leaves every caller `count` uploads in a window of a minute.
        case leaveUploads
        /// Removes all messages.
        case removeMessages
        /// Empties the newest reply of every conversation.
        case interruptReplies
        /// Removes everything from every account.
        case emptyAccounts
        /// Gives the documented user 500 conversations, one with 1000 messages.
        case fillAccount
        /// Gives the documented user a conversation of unusual characters.
        case addUnicode
        /// Removes every user's most recently updated conversation.
        case removeNewestConversations
        /// Archives or unarchives every user's most recently updated conversation.
        case flipNewestConversations
        /// Removes the bytes of all uploads.
        case removeFiles
    }

    var change: Operation
    var count: Int?
}

extension OmniChatAPI {
    package static func apply(
        _ change: OmniChatChange,
        to state: inout OmniChatState,
        core: inout WorldCore,
        epoch: Epoch
    ) -> [String] {
        switch change.change {
        case .revokeRefreshTokens:
            return state.refreshSessions.rows.map { row in
                state.refreshSessions.remove(row.id)
                return "refreshSessions/\(row.id)"
            }
        case .leaveRequests:
            state.windows.spend(requestsPerWindow.subtractingClamped(change.count ?? 0), until: core.now + window)
            return []
        case .leaveUploads:
            state.uploadWindows.spend(uploadsPerWindow.subtractingClamped(change.count ?? 0), until: core.now + window)
            return []
        case .removeMessages: return removeMessages(&state, of: state.conversations.rows)
        case .interruptReplies: return interruptReplies(&state, epoch)
        case .emptyAccounts: return emptyAccounts(&state)
        case .fillAccount: return fillAccount(&state, &core)
        case .addUnicode: return addUnicode(&state, &core)
        case .removeNewestConversations:
            return newestConversations(state, epoch).flatMap { row in
                let removed = removeMessages(&state, of: [row])
                state.conversations.remove(row.id)
                return removed + ["conversations/\(row.id)"]
            }
        case .flipNewestConversations:
            return newestConversations(state, epoch).map { row in
                state.conversations.update(row.id) {
                    $0.isArchived.toggle()
                    $0.updatedAt = .at(core.now)
                }
                return "conversations/\(row.id)"
            }
        case .removeFiles:
            return state.files.rows.map { row in
                state.files.remove(row.id)
                return "files/\(row.id)"
            }
        }
    }

    package static func undo(_ change: OmniChatChange, in state: inout OmniChatState, core: inout WorldCore) {
        switch change.change {
        case .leaveRequests: state.windows.removeAll()
        case .leaveUploads: state.uploadWindows.removeAll()
        default: break
        }
    }

    private static func removeMessages(_ state: inout OmniChatState, of conversations: [Conversation]) -> [String] {
        conversations.flatMap { state.messages.rows(in: $0.id) }.map { message in
            for attachment in state.attachments.rows(in: message.id) { state.attachments.remove(attachment.id) }
            state.messages.remove(message.id)
            return "messages/\(message.id)"
        }
    }

    private static func interruptReplies(_ state: inout OmniChatState, _ epoch: Epoch) -> [String] {
        state.conversations.rows.compactMap { row in
            let reply = state.sortedMessages(of: row.id, epoch: epoch).last { $0.role == .assistant }
            guard let reply, reply.isComplete else { return nil }
            state.messages.update(reply.id) {
                $0.content = ""
                $0.isComplete = false
                $0.tokensGenerated = 0
            }
            return "messages/\(reply.id)"
        }
    }

    private static func emptyAccounts(_ state: inout OmniChatState) -> [String] {
        var changed = removeMessages(&state, of: state.conversations.rows)
        changed += state.conversations.rows.map { "conversations/\($0.id)" }
        changed += state.usage.rows.map { "usage/\($0.id)" }
        changed += state.transactions.rows.map { "transactions/\($0.id)" }
        state.conversations.replaceAll(with: [])
        state.usage.replaceAll(with: [])
        state.transactions.replaceAll(with: [])
        state.lists = ConversationLists()
        for user in state.users.rows {
            state.users.update(user.id) {
                $0.subscription = nil
                $0.battery = nil
            }
            changed.append("users/\(user.id)")
        }
        return changed
    }

    /// The users that scenarios add rows for: the documented one, or everyone if the seed has no such user.
    private static func subjects(_ state: OmniChatState) -> [User] {
        state.user("test@icloud.com").map { [$0] } ?? state.users.rows
    }

    private static func fillAccount(_ state: inout OmniChatState, _ core: inout WorldCore) -> [String] {
        var changed: [String] = []
        for user in subjects(state) {
            for number in 1...500 {
                let time = core.now - .minutes(Int64(501 - number))
                let row = conversation(user, "Conversation \(number)", "gpt-4o-mini", time, state, &core)
                state.conversations.insert(row)
                changed.append("conversations/\(row.id)")
                guard number == 500 else { continue }
                for part in 1...1_000 {
                    let isUser = !part.isMultiple(of: 2)
                    let pair = (part + 1) / 2
                    let question = "Question \(pair)"
                    let text = isUser ? question : Reply.text(to: question, number: pair, model: row.model)
                    let message = message(row, isUser, text, time - .seconds(Int64(1_000 - part)), state, &core)
                    state.messages.insert(message)
                    changed.append("messages/\(message.id)")
                }
            }
        }
        return changed
    }

    private static func addUnicode(_ state: inout OmniChatState, _ core: inout WorldCore) -> [String] {
        let title = "👩‍👩‍👧‍👦 مرحبا بالعالم e\u{301} a\u{323}\u{308} \u{2028}🏳️‍🌈"
        let text =
            "Joiners 👩🏽‍🚀, right-to-left مرحبا (שלום), combining Z\u{335}\u{322}e\u{301}, "
            + "separators \u{85}\u{2028}\u{2029}."
        var changed: [String] = []
        for user in subjects(state) {
            let row = conversation(user, title, "gpt-4o", core.now, state, &core)
            state.conversations.insert(row)
            changed.append("conversations/\(row.id)")
            for (isUser, content) in [(true, text), (false, Reply.text(to: text, number: 1, model: row.model))] {
                let message = message(row, isUser, content, core.now, state, &core)
                state.messages.insert(message)
                changed.append("messages/\(message.id)")
            }
        }
        return changed
    }

    private static func conversation(
        _ user: User,
        _ title: String,
        _ model: String,
        _ time: Instant,
        _ state: OmniChatState,
        _ core: inout WorldCore
    ) -> Conversation {
        Conversation(
            id: OmniChatState.newID(.conversation, &core) { state.conversations.contains($0) },
            userId: user.id,
            title: title,
            model: model,
            isArchived: false,
            createdAt: .at(time),
            updatedAt: .at(time)
        )
    }

    private static func message(
        _ row: Conversation,
        _ isUser: Bool,
        _ text: String,
        _ time: Instant,
        _ state: OmniChatState,
        _ core: inout WorldCore
    ) -> Message {
        Message(
            id: OmniChatState.newID(.message, &core) { state.messages.contains($0) },
            conversationId: row.id,
            role: isUser ? .user : .assistant,
            content: text,
            model: isUser ? nil : row.model,
            isComplete: true,
            tokensGenerated: isUser ? 0 : text.utf16.count,
            createdAt: .at(time)
        )
    }

    private static func newestConversations(_ state: OmniChatState, _ epoch: Epoch) -> [Conversation] {
        state.users.rows.compactMap { user in
            state.conversations.rows(in: user.id)
                .max { $0.updatedAt.resolved(in: epoch) < $1.updatedAt.resolved(in: epoch) }
        }
    }
}
