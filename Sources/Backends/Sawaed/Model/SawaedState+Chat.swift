import Backend
import CivilTime

/// Conversations, sessions and their results (contract, section 8).
extension SawaedState {
    private static let timeout: Int64 = 180_000
    private static let forgetAfter: Int64 = 300_000
    private static let mostSessions = 200

    // MARK: Sessions

    func progress(_ session: ChatSession, now: Instant) -> ChatProgress {
        ChatProgress(
            session,
            sentAt: instant(session.sentAt),
            now: now,
            timedOutAt: session.timedOutAt.map { instant($0) }
        )
    }

    /// Removes sessions that have been unchanged for five minutes, then the oldest beyond 200.
    mutating func collectSessions(now: Instant) {
        var ages: [(updatedAt: Int64, id: String)] = []
        for session in chatSessions.rows {
            let updatedAt = progress(session, now: now).updatedAt
            if now.milliseconds.subtractingClamped(updatedAt) > Self.forgetAfter {
                chatSessions.remove(session.id)
            } else {
                ages.append((updatedAt, session.id))
            }
        }
        guard ages.count > Self.mostSessions else { return }
        let places = ages.indices.sorted { (ages[$0].updatedAt, $0) < (ages[$1].updatedAt, $1) }
        for place in places.prefix(ages.count - Self.mostSessions) { chatSessions.remove(ages[place].id) }
    }

    /// The visible progress of a session; notes a timeout that no reader has seen before.
    mutating func readSession(_ id: String, now: Instant) -> ChatProgress? {
        guard let session = chatSessions[id] else { return nil }
        let shown = progress(session, now: now)
        if settings.chatSessions == .forgottenWhenDone, shown.isFinal {
            chatSessions.remove(id)
            return nil
        }
        guard shown.status == .running || shown.status == .partial,
            now.milliseconds.subtractingClamped(shown.updatedAt) > Self.timeout
        else { return shown }
        chatSessions.update(id) { $0.timedOutAt = .at(now) }
        return ChatProgress(
            session,
            sentAt: instant(session.sentAt),
            now: now,
            timedOutAt: now
        )
    }

    // MARK: Sending

    /// A message as it was sent.
    struct Sent {
        var message: String
        var skillID: String
        var conversationID: String?
        var language: Language
    }

    /// Starts a session; returns its id, and the conversation's if anything is stored.
    mutating func send(
        _ sent: Sent,
        from user: User?,
        now: Instant,
        core: WorldCore
    ) -> (session: String, conversation: String?) {
        var stream = chance("chat", core)
        var id: String
        repeat {
            id = WorldTag.handle(&stream, number: now.milliseconds, world: core.name)
        } while chatSessions.contains(id) || pendingReplies.contains(id)
        core.issued.note(WorldTag.secretPart(of: id))
        let pace = Int64(settings.chatPaceMilliseconds)
        let ending: ChatSession.Ending =
            switch settings.chatOutcome {
            case .script, .invalidAssessment, .assessNow: .done
            case .error: .failed
            case .empty: .empty
            case .stuck: .stuck
            case .doneWithError: .doneWithError
            }
        var text = ChatScript.sample(sent.language)
        var conversationID: String?
        if let user, let skill = aiSkills[sent.skillID] {
            var conversation = conversation(sent, user, now: now)
            conversationID = conversation.id
            if sent.message != ChatScript.start {
                store(.user, sent.message, nil, in: conversation.id, at: now)
            }
            let reply = reply(to: sent, skill, user, &conversation)
            text = reply.text
            // A reply that never arrives does not advance the conversation.
            if ending == .done || ending == .doneWithError {
                conversations.insert(conversation)
                let isKept = ending == .done && role(of: user) == .youth && settings.chatOutcome != .invalidAssessment
                pendingReplies.insert(
                    PendingReply(
                        id: id,
                        dueAt: .at(Instant(microseconds: now.microseconds) + .milliseconds(5 * pace)),
                        conversationId: conversation.id,
                        content: reply.stored,
                        questionNumber: reply.number,
                        result: isKept ? reply.result : nil
                    )
                )
            }
        }
        chatSessions.insert(
            ChatSession(id: id, sentAt: .at(now), pace: pace, pieces: ChatScript.pieces(of: text), ending: ending)
        )
        return (id, conversationID)
    }

    /// The named conversation if it fits, else the user's active one for the skill, else a new one.
    private mutating func conversation(_ sent: Sent, _ user: User, now: Instant) -> Conversation {
        let fitting = conversations.rows(in: user.id).filter { $0.isActive && $0.skillId == sent.skillID }
        if let named = fitting.first(where: { $0.id == sent.conversationID }) ?? fitting.first { return named }
        let row = Conversation(
            id: newID("conversation") { $0.conversations.contains($1) },
            userId: user.id,
            skillId: sent.skillID,
            isActive: true,
            questions: 0,
            correct: 0,
            createdAt: .at(now)
        )
        conversations.insert(row)
        return row
    }

    private mutating func store(
        _ role: ChatMessage.Role,
        _ content: String,
        _ number: Int?,
        in conversation: String,
        at instant: Instant
    ) {
        messages.insert(
            ChatMessage(
                id: newID("message") { $0.messages.contains($1) },
                conversationId: conversation,
                role: role,
                content: content,
                questionNumber: number,
                createdAt: .at(instant)
            )
        )
    }

    private struct Reply {
        var text: String
        /// The stored part of the reply: everything but the block.
        var stored: String
        var number: Int?
        var result: PendingReply.Result?
    }

    /// The reply of the script (contract, section 8.5); advances the conversation.
    private func reply(to sent: Sent, _ skill: AISkill, _ user: User, _ conversation: inout Conversation) -> Reply {
        let language = sent.language
        guard sent.message != ChatScript.start else {
            let greeting = ChatScript.greeting(skill, user, language)
            return Reply(text: greeting, stored: greeting, number: 0)
        }
        let asked = min(max(conversation.questions, 0), 5)
        if asked > 0, ChatScript.isRight(sent.message, question: asked) {
            conversation.correct = min(conversation.correct + 1, 5)
        }
        let isForced = settings.chatOutcome == .assessNow || settings.chatOutcome == .invalidAssessment
        guard asked >= 5 || isForced else {
            conversation.questions = asked + 1
            let question = ChatScript.question(asked + 1, skill, language)
            return Reply(text: question, stored: question, number: asked + 1)
        }
        let level = max(1, conversation.correct)
        let confidence = Double(5 + conversation.correct) / 10
        conversation.questions = 0
        conversation.correct = 0
        var modules = LearningContent.modules(for: skill, level: level, language: language)
        // Two modules are too few to be valid.
        if settings.chatOutcome == .invalidAssessment { modules.removeLast(2) }
        let closing = ChatScript.closing(skill, level, language)
        let block = ChatScript.block(skill, level, confidence, modules, language)
        return Reply(
            text: "\(closing)\n\n\(block)",
            stored: closing,
            number: nil,
            result: PendingReply.Result(
                userId: user.id,
                aiSkillId: skill.id,
                level: level,
                confidence: confidence,
                modules: modules
            )
        )
    }

    // MARK: Taking effect

    /// Stores the replies that have become due, with their assessments, each with its own time.
    mutating func settleReplies(now: Instant) {
        guard !pendingReplies.isEmpty else { return }
        let due = pendingReplies.rows.filter { instant($0.dueAt) <= now }
        guard !due.isEmpty else { return }
        let places = due.indices.sorted { (instant(due[$0].dueAt), $0) < (instant(due[$1].dueAt), $1) }
        for place in places {
            let reply = due[place]
            pendingReplies.remove(reply.id)
            store(.assistant, reply.content, reply.questionNumber, in: reply.conversationId, at: instant(reply.dueAt))
            if let result = reply.result { keep(result, at: reply.dueAt) }
        }
    }

    private mutating func keep(_ result: PendingReply.Result, at time: Timestamp) {
        let assessment = Assessment(
            id: newID("assessment") { $0.assessments.contains($1) },
            userId: result.userId,
            aiSkillId: result.aiSkillId,
            level: result.level,
            confidence: result.confidence,
            createdAt: time
        )
        assessments.insert(assessment)
        for path in learningPaths.rows(in: result.userId)
        where path.aiSkillId == result.aiSkillId && path.status == .active {
            learningPaths.update(path.id) {
                $0.status = .archived
                $0.updatedAt = time
            }
        }
        let path = LearningPath(
            id: newID("learningpath") { $0.learningPaths.contains($1) },
            userId: result.userId,
            aiSkillId: result.aiSkillId,
            status: .active,
            assessmentLevel: result.level,
            assessmentId: assessment.id,
            completedModuleIds: [],
            modules: result.modules,
            createdAt: time,
            updatedAt: time
        )
        learningPaths.insert(path)
    }
}
