import Backend
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Events and metrics (control contract, section 15).
package enum EventOperations {
    /// The number of events that the loop writes out in one turn.
    package static let mostAtOnce = 100

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/events",
            "Streams the events of the world as they happen",
            parameters: [
                Parameter(
                    "Last-Event-ID",
                    in: .header,
                    .integer(minimum: 0),
                    "The last event received; later events are sent first, or a gap if they are no longer kept"
                )
            ],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "Events named request, outcome, clock, fault, gate, scenario, reset, world, reload, change, outbox, note, finding, host and gap; "
                        + "a comment every 15 s",
                    .eventStream(description: "Data is {\"seq\",\"world\",\"at\",…}, the id is seq")
                )
            ]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let text = call.request.head.fields[.lastEventID]
            let seen = text.flatMap { UInt64($0) }
            if let text, seen == nil {
                throw Problem(
                    .invalidParameter,
                    "Last-Event-ID must be the number of an event, found \"\(text.cut)\".",
                    items: [Problem.Item(path: "Last-Event-ID", reason: "must be a whole number from 0")]
                )
            }
            // Sent at once, so that the client sees that it is connected.
            var steps: [Step] = [.bytes(Array(": understudy\n\n".utf8))]
            let stretch = hosted.events.frames(
                after: seen ?? hosted.events.lastSeq,
                of: call.scope,
                atMost: mostAtOnce,
                world: hosted.world.name,
                at: hosted.world.core.now
            )
            steps += stretch.frames.map { .bytes($0) }
            let isHead = call.request.head.method == .head
            if isHead {
                steps = [.end]
            } else {
                call.host.watch(world: hosted.key, api: call.api, after: stretch.last)
            }
            return Response(
                status: .ok,
                fields: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .steps(steps)
            )
        },
        ControlOperation(
            .get,
            "/metrics",
            "Returns metrics of the process since its start",
            answers: [AnswerDeclaration(.ok, "Prometheus text", .text(contentType: MetricsPage.contentType))]
        ) { call throws(Problem) in
            Response(
                status: .ok,
                fields: [.contentType: MetricsPage.contentType, .cacheControl: "no-store"],
                body: .bytes(Array(MetricsPage.text(call).utf8))
            )
        },
    ]
}
