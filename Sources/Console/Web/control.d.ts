// Made from the OpenAPI document of the control API by `make console-types`; do not edit.
// What each call answers, for the modules' type checks; nothing of it is served.

export type Health = { status: string; version: string; uptimeSeconds: number };
export type APIs = { items: { name: string; title: string; url: string; endpoints: number; scenarios: number; source: "built-in" | "folder" | "name" }[] };
export type ProblemType = { type: string; title: string; status: number; explanation: string };
export type OpenAPIDocument = Record<string, any>;
export type Reset = { world: string; cancelled: number };
export type Worlds = { items: World[] };
export type CreatedWorld = { name: string; urls: Record<string, string>; proxy?: string };
export type Clock = { mode: "real" | "offset" | "frozen"; now: string; rate: number };
export type AdvancedClock = { mode: string; now: string; rate: number; fired: number; passed?: Passed[] };
export type Upcoming = { items: Passed[] };
export type Scenarios = { items: Scenario[] };
export type Scenario = { name: string; title: string; expect: string; active: boolean };
export type ScenarioOff = { name: string; active: boolean; changed: string[] };
export type Settings = Record<string, any>;
export type Faults = { items: Fault[]; enabled: boolean };
export type Fault = { id: string; match: Match; phase: "before" | "after"; effect: Effect; hits: number; enabled: boolean; source: string; name?: string; when?: When; on?: "real" | "world"; warnings?: { path: string; reason: string }[] };
export type MatchFinding = { checked: number; count: number; requests: string[]; nearMisses: { id: string; differences: string[] }[] };
export type Stubs = { items: Stub[] };
export type Stub = { id: string; match: Match; enabled: boolean; hits: number; source: string; name?: string; requires?: Record<string, string>; when?: When; response?: Response; responses?: Response[]; after?: "repeat" | "cycle" | "pass"; sets?: Record<string, string>; open?: boolean };
export type Latency = { profile: "wifi" | "lte" | "dsl" | "3g" | "edge" | "high-latency-dns" | "very-bad-network" | "100-loss" | "none"; match?: Match; on?: "real" | "world" } | { delay: Delay; bytesPerSecond?: number; uploadBytesPerSecond?: number; match?: Match; on?: "real" | "world" } | { bytesPerSecond: number; uploadBytesPerSecond?: number; match?: Match; on?: "real" | "world" } | { uploadBytesPerSecond: number; match?: Match; on?: "real" | "world" };
export type LatencyAnswer = { profile: "wifi" | "lte" | "dsl" | "3g" | "edge" | "high-latency-dns" | "very-bad-network" | "100-loss" | "none"; match?: Match; on?: "real" | "world"; warnings?: { path: string; reason: string }[] } | { delay: Delay; bytesPerSecond?: number; uploadBytesPerSecond?: number; match?: Match; on?: "real" | "world"; warnings?: { path: string; reason: string }[] } | { bytesPerSecond: number; uploadBytesPerSecond?: number; match?: Match; on?: "real" | "world"; warnings?: { path: string; reason: string }[] } | { uploadBytesPerSecond: number; match?: Match; on?: "real" | "world"; warnings?: { path: string; reason: string }[] };
export type Gates = { items: Gate[] };
export type Gate = { name: string; held: string[]; passed: number; match?: Match; phase?: "before" | "after"; enabled?: boolean; warnings?: { path: string; reason: string }[] };
export type GateReleased = { name: string; held: string[]; passed: number; released: string[] };
export type Requests = { items: { id: string; seq: number; at?: string; wallAt?: string; startedAt?: string; endedAt?: string; peer?: string; connection?: number; reused?: boolean; world?: string; api?: string; route?: string | null; source?: "stub" | "auth" | "resource" | "recording" | "openapi" | "emulated" | "upstream"; stub?: string; answeredBy?: string; nearestStub?: string; user?: string; method?: string; path?: string; pathSent?: string; query?: string; headers?: string[][]; body?: Body; status?: number; responseHeaders?: string[][]; responseBody?: Body; timings?: Timings; fault?: Fault2 | string; scenario?: string; outcome?: "delivered" | "interrupted" | "cut" | "held"; differences?: { path: string; emulated?: any; upstream?: any }[]; translated?: { path: string; emulated: string; upstream: string }[]; violations?: { path: string; reason: string }[] | number; decisions?: Decisions[]; gate?: string; replayOf?: string; via?: "proxy"; origin?: string; transport?: Transport; ms?: number; requestBytes?: number; responseBytes?: number }[] };
export type HTTPArchive = { log: { version: string; creator: { name: string; version: string }; pages: any[]; entries: { startedDateTime: string; time: number; request: { method: string; url: string; httpVersion: string; cookies: { name: string; value: string }[]; headers: { name: string; value: string }[]; queryString: { name: string; value: string }[]; headersSize: number; bodySize: number; postData?: { mimeType: string; params: any[]; text: string } }; response: { status: number; statusText: string; httpVersion: string; cookies: { name: string; value: string }[]; headers: { name: string; value: string }[]; content: { size: number; mimeType: string; text?: string; encoding?: string; comment?: string }; redirectURL: string; headersSize: number; bodySize: number; _error?: string }; cache: Record<string, any>; timings: { blocked: number; dns: number; connect: number; send: number; wait: number; receive: number; ssl: number }; _world: string; _virtualTime: string; connection?: string; _peer?: string; _gate?: string; _replayOf?: string; _fault?: Fault2; _source?: string; _stub?: string; _eventSourceMessages?: any[]; _tls?: Tls }[]; _notes?: any[] } };
export type Request = { id: string; seq: number; at: string; wallAt: string; startedAt: string; world: string; api: string; route: string | null; method: string; path: string; query: string; headers: string[][]; body: Body; status: number; responseHeaders: string[][]; responseBody: Body; timings: Timings; outcome: "delivered" | "interrupted" | "cut" | "held"; endedAt?: string; peer?: string; connection?: number; reused?: boolean; source?: "stub" | "auth" | "resource" | "recording" | "openapi" | "emulated" | "upstream"; stub?: string; answeredBy?: string; nearestStub?: string; user?: string; pathSent?: string; fault?: Fault2; scenario?: string; differences?: { path: string; emulated?: any; upstream?: any }[]; translated?: { path: string; emulated: string; upstream: string }[]; violations?: { path: string; reason: string }[]; decisions?: Decisions[]; gate?: string; replayOf?: string; via?: "proxy"; origin?: string; transport?: Transport };
export type Journal = { from: number | null; to: number | null; entries: number; bytes: number; limitBytes: number; dropped: number };
export type RequestCount = { count: number; dropped?: number };
export type Verdict = { verdict: "pass" | "fail" | "incomplete"; count: number; nearMisses: { id: string; differences: string[] }[]; reason?: string; dropped?: number };
export type ConductReport = { format: string; version: number; verdict: "pass" | "fail"; world: string; journal: { from: number | null; to: number | null; entries: number; complete: boolean }; counts: { error: number; warning: number; suppressed: number; rules: { passed: number; failed: number; notExercised: number; notJudged: number } }; findings: { rule: string; severity: "warning" | "error"; api: string; method: string; route: string; title: string; seen: string; expected: string; why: string; fix: string; requests: string[]; count: number; first: string; last: string; fingerprint: string; source: { title: string; url?: string }[]; help: string; as?: string; world?: string; user?: string; suppressed?: { by: string; reason?: string } }[]; rules: { id: string; severity: "off" | "warning" | "error"; status: "passed" | "failed" | "notExercised" | "notJudged"; judged: number; findings: number; reason?: string; exercisedBy?: string[] }[]; allow: Record<string, any>[] };
export type ConductRules = { items: { id: string; title: string; severity: "warning" | "error"; situation: string; breach: string; excused: string[]; settings: Record<string, any>; source: { title: string; url?: string }[]; exercisedBy: string[]; marks: string[]; instances: Instances[]; help: string; api?: string; as?: string }[] };
export type ConductRule = { id: string; title: string; severity: "warning" | "error"; situation: string; breach: string; excused: string[]; settings: Record<string, any>; source: { title: string; url?: string }[]; exercisedBy: string[]; marks: string[]; instances: Instances[]; help: string; what: string; why: string; fix: { urlsession: string; fetch: string }; api?: string; as?: string };
export type Unmatched = { items: { id: string; seq: number; at: string; api: string; method: string; path: string; status: number; nearest: { method: string; path: string; differs: string; stub?: string }[] }[] };
export type Outbox = { items: { to: string; kind: string; api: string; at: string; code?: string; token?: string; url?: string; title?: string; body?: string; data?: Record<string, any>; expiresAt?: string }[] };
export type Token = { token: string; expiresAt?: string };
export type TokensEnded = { user: string };
export type JWKS = { keys: Record<string, any>[] };
export type QRPayload = { type: string };
export type Snapshots = { items: Snapshot[] };
export type Snapshot = { name: string; createdAt: string; clock: Clock; requests: number };
export type Restored = { world: string; snapshot: string; cancelled: number; clock: Clock };
export type WorldDocument = { format: "understudy-world"; version: number; name: string; seed: number; createdAt: string; clock: Record<string, any>; startClock: Record<string, any>; crossOrigin: Record<string, any>; startCrossOrigin: Record<string, any>; requests: number; lastSeq: number; posted: number; scenarios: Record<string, any>[]; faults: Record<string, any>; latency: Record<string, any>; gates: Record<string, any>; counters: Record<string, any>[]; randomness: Record<string, any>[]; outbox: Record<string, any>[]; apis: Record<string, any>; journal: Record<string, any>[]; stubs?: Record<string, any>; overrun?: boolean; conduct?: Record<string, any>; startConduct?: Record<string, any> };
export type World = { name: string; createdAt: string; clock: Clock; requests: number; bytes: number; forkedFrom?: string; scenario?: string; scenarios?: string[] };
export type Mode = any;
export type Tables = { api: string; epoch: string; items: { name: string; rows: number; key: string; schema: Record<string, any> }[] };
export type Rows = { items: { id: string; row: Record<string, any>; change?: "added" | "changed" | "deleted"; old?: Record<string, any> }[] };
export type Row = { id: string; row: Record<string, any> };
export type Users = { items: { api: string; id: string; sessions: number; access: number; refresh: number; email?: string; name?: string }[] };
export type Notes = { items: Note[] };
export type Note = { id: string; kind: "note" | "clock" | "scenario" | "settings" | "reset" | "restore" | "import" | "row" | "faults" | "stubs"; after: number; at: string; wallAt: string; text: string; data?: any };
export type Coverage = { endpoints: { total: number; seen: number }; scenarios: { total: number; seen: number; names: string[] }; unmatched: number; items: { api: string; method: string; route: string; count: number; answers: { status: number; count: number }[]; unseen: number[] }[] };
export type Comparison = { same: boolean; differences?: { path: string; a?: any; b?: any }[]; truncated?: boolean; ignored?: string[]; items?: { state: "same" | "changed" | "missing" | "extra"; api: string; method: string; route: string; differences: number; a?: string; b?: string }[] };
export type Replay = { id: string; replayOf: string; status: number; outcome: string; same: boolean; differences: { path: string; a?: any; b?: any }[]; truncated?: boolean };
export type TLS = { mode: "off" | "on" | "required"; handshakes: { completed: number; resumed: number; failed: number }; authority?: { subject: string; sha256: string; notBefore: string; notAfter: string; permitted: string[]; folder: string } };
export type HandshakeFailures = { items: { at: string; api: string; peer: string; reason: "client-alert" | "client-closed" | "timeout" | "no-common-version" | "no-common-cipher" | "no-common-alpn" | "client-certificate-missing" | "not-tls" | "injected"; advice: string; sni?: string; alpn?: string[]; versions?: string[]; alert?: { name: string; number: number; from: "client" | "server" }; fault?: string }[] };
export type ConnectionFaults = { items: ConnectionFault[] };
export type ConnectionFault = { id: string; match: Match2; effect: Effect20; hits: number; name?: string; when?: When2 };
export type Passed = { at: string; kind: "access" | "refresh" | "otp" | "magic-link" | "qr" | "cool-down" | "rate-limit" | "quota" | "answer" | "fault-from" | "fault-until"; what: string; api?: string; user?: string; request?: string; fault?: string };
export type Match = { api?: string; method?: string; path?: string | { regex: string }; query?: Record<string, Query>; headers?: Record<string, Query>; user?: string; body?: any; bodyText?: BodyText; connection?: "reused" | "fresh" };
export type Query = string | number | boolean | { contains: string } | { regex: string } | { absent: boolean };
export type BodyText = { equals: string } | { contains: string } | { regex: string };
export type Effect = Effect2 | Effect3 | Effect4 | Effect5 | Effect6 | Effect7 | Effect8 | { connection: "empty" | "malformed-chunk" } | Effect9 | Effect10 | Effect11 | Effect12 | Effect13 | Effect14 | { coding: "gzip" | "deflate" | "missing" | "cut" } | Effect15 | Effect16 | Effect17 | { tokens: "expire" | "revoke" } | { framing: "chunked" | "close" | "longer" } | Effect18 | Effect19;
export type Effect2 = { status: number; retryAfter?: RetryAfter; code?: string; message?: string };
export type RetryAfter = number | string;
export type Effect3 = { respond: Respond };
export type Respond = { status: number; headers?: string[][]; body?: any; text?: string; base64?: string; template?: boolean };
export type Effect4 = { delay: Delay };
export type Delay = Delay2 | Delay3 | Delay4 | Delay5;
export type Delay2 = { ms: number; max?: number };
export type Delay3 = { uniform: number[]; max?: number };
export type Delay4 = { lognormal: Lognormal; max?: number };
export type Lognormal = { median: number; p95: number };
export type Delay5 = { exponential: { mean: number }; max?: number };
export type Effect5 = { throttle: { bytesPerSecond: number } };
export type Effect6 = { dribble: Dribble };
export type Dribble = { chunks: number; overMs: number };
export type Effect7 = { connection: "reset" | "truncate"; afterBytes?: number };
export type Effect8 = { connection: "stall"; afterBytes?: number; forMs?: number };
export type Effect9 = { connection: "close"; afterMs?: number };
export type Effect10 = { connection: "garbage"; layer?: "tls" };
export type Effect11 = { body: "html" | "invalid-json" | "empty" | "truncated-json" | "wrong-content-type" };
export type Effect12 = { drift: Drift };
export type Drift = { remove: string } | { set: string; to: any } | { null: string } | Drift2 | Drift3 | { auto: "additive" | "breaking" };
export type Drift2 = { add: { path: string; value: any } };
export type Drift3 = { retype: string; as: "string" | "number" | "boolean" | "object" | "array" | "null" };
export type Effect13 = { drift: Drift[] };
export type Effect14 = { range: "none" | "ignored" | "changed" | "weak" | "shifted" };
export type Effect15 = { coding: "wrong"; as?: string };
export type Effect16 = { stream: Stream };
export type Stream = { cutAfterEvents: number } | { errorAfterEvents: number } | Stream2 | { duplicate: number } | { splitUtf8: boolean };
export type Stream2 = { gapMs: number; afterEvents?: number };
export type Effect17 = { upload: Upload };
export type Upload = { readBytesPerSecond: number } | { stopAfterBytes: number } | { rejectEarly: number } | { resetAfterBytes: number } | { continue: "never" } | Upload2;
export type Upload2 = { continueAfterMs: number };
export type Effect18 = { raw: Raw };
export type Raw = Raw2 | Raw3;
export type Raw2 = { text: string; then?: "close" | "keep" | "stall" | "reset" };
export type Raw3 = { base64: string; then?: "close" | "keep" | "stall" | "reset" };
export type Effect19 = { interim: Interim[] };
export type Interim = { status: number; headers?: Headers; afterMs?: number };
export type Headers = string[][] | Record<string, string | string[]>;
export type When = { skip?: number; times?: number; every?: number; probability?: number; from?: string; until?: string };
export type Response = { status?: number; headers?: Headers; body?: any; text?: string; base64?: string; file?: string; events?: Events[]; lineEnd?: "lf" | "crlf" | "cr"; bom?: boolean; resume?: boolean; delay?: Delay; template?: boolean };
export type Events = Events2 | Events3 | Events4;
export type Events2 = { data: any; event?: string; retry?: number; comment?: string; id?: string; afterMs?: number };
export type Events3 = { retry: number; comment?: string; id?: string; afterMs?: number };
export type Events4 = { comment: string; id?: string; afterMs?: number };
export type Body = { bytes: number; declared?: number; sha256?: string; text?: string; base64?: string; truncated?: boolean; coding?: string; codedBytes?: number };
export type Timings = { receive: number; handle: number; wait: number; send: number };
export type Fault2 = { phase: "before" | "after"; effect: Effect; id?: string; name?: string };
export type Decisions = { phase: "before" | "after"; effect: Effect; acted: boolean; id?: string; name?: string; reason?: string };
export type Transport = { scheme: "http" | "https"; httpVersion: "HTTP/1.1" | "HTTP/2"; stream?: number; tls?: Tls };
export type Tls = { version: string; cipher: string; resumed: boolean; sni?: string; alpn?: string; clientCertificate?: { subject: string; sha256: string }; fault?: string };
export type Instances = { id: string; api: string; severity?: "warning" | "error"; settings?: Record<string, any> };
export type Match2 = { api?: string; sni?: string; peer?: string };
export type Effect20 = Effect21 | Effect22 | Effect23 | { handshake: "reset" | "close" | "garbage" } | Effect24 | { protocol: "tls1.0" | "tls1.1" | "tls1.2" } | { alpn: "none" | "http/1.1" } | Effect25 | { close: "no-notify" };
export type Effect21 = { certificate: "expired" | "not-yet-valid" | "wrong-host" | "untrusted-root" | "self-signed" | "incomplete-chain" | "no-server-auth" | "outside-constraints" | "sha1" | "rsa1024" | "no-san" | "too-long" | "revoked" | "other-key" };
export type Effect22 = { handshake: "stall"; forMs?: number };
export type Effect23 = { handshake: "slow"; ms: number };
export type Effect24 = { handshake: "alert"; alert: "close_notify" | "unexpected_message" | "bad_record_mac" | "record_overflow" | "handshake_failure" | "bad_certificate" | "unsupported_certificate" | "certificate_revoked" | "certificate_expired" | "certificate_unknown" | "illegal_parameter" | "unknown_ca" | "access_denied" | "decode_error" | "decrypt_error" | "protocol_version" | "insufficient_security" | "internal_error" | "inappropriate_fallback" | "user_canceled" | "missing_extension" | "unsupported_extension" | "unrecognized_name" | "bad_certificate_status_response" | "unknown_psk_identity" | "certificate_required" | "no_application_protocol" };
export type Effect25 = { clientCertificate: "required" | "optional" };
export type When2 = { skip?: number; times?: number; every?: number; probability?: number };

type Bare<P extends string> = P extends `${infer B}?${string}` ? B : P;

/** What a call answers; any where the path is not known. */
export type Answer<M extends string, P extends string> = Answered<`${M} ${Bare<P>}`>;
/** The items of a list. */
export type Items<P extends string> =
  Answer<"GET", P> extends { items: infer I } ? (I extends any[] ? I : any[]) : any[];
type Answered<K extends string> =
  K extends "POST /clock/advance" ? AdvancedClock :
  K extends "GET /clock/upcoming" ? Upcoming :
  K extends "POST /faults/check" ? MatchFinding :
  K extends "POST /requests/count" ? RequestCount :
  K extends "GET /conduct/rules" ? ConductRules :
  K extends "GET /apple/keys" ? JWKS :
  K extends "GET /tls/failures" ? HandshakeFailures :
  K extends "GET /health" ? Health :
  K extends "GET /apis" ? APIs :
  K extends "GET /openapi.json" ? OpenAPIDocument :
  K extends "POST /reset" ? Reset :
  K extends "GET /worlds" ? Worlds :
  K extends "POST /worlds" ? CreatedWorld :
  K extends "GET /clock" ? Clock :
  K extends "PUT /clock" ? Clock :
  K extends "GET /scenarios" ? Scenarios :
  K extends "GET /settings" ? Settings :
  K extends "PUT /settings" ? Settings :
  K extends "GET /faults" ? Faults :
  K extends "POST /faults" ? Fault :
  K extends "GET /stubs" ? Stubs :
  K extends "POST /stubs" ? Stub :
  K extends "GET /latency" ? Latency :
  K extends "PUT /latency" ? LatencyAnswer :
  K extends "GET /gates" ? Gates :
  K extends "POST /gates" ? Gate :
  K extends "GET /requests" ? Requests :
  K extends "GET /requests.har" ? HTTPArchive :
  K extends "GET /journal" ? Journal :
  K extends "POST /verify" ? Verdict :
  K extends "GET /conduct" ? ConductReport :
  K extends "GET /unmatched" ? Unmatched :
  K extends "GET /outbox" ? Outbox :
  K extends "POST /tokens" ? Token :
  K extends "GET /qr.json" ? QRPayload :
  K extends "GET /snapshots" ? Snapshots :
  K extends "POST /snapshots" ? Snapshot :
  K extends "GET /state" ? WorldDocument :
  K extends "PUT /state" ? World :
  K extends "GET /mode" ? Mode :
  K extends "GET /users" ? Users :
  K extends "GET /notes" ? Notes :
  K extends "POST /notes" ? Note :
  K extends "GET /coverage" ? Coverage :
  K extends "POST /compare" ? Comparison :
  K extends "GET /tls" ? TLS :
  K extends "GET /connection-faults" ? ConnectionFaults :
  K extends "POST /connection-faults" ? ConnectionFault :
  K extends `GET /state/${string}/${string}/${string}` ? Row :
  K extends `PUT /state/${string}/${string}/${string}` ? Row :
  K extends `PUT /scenarios/${string}/${string}` ? Scenario :
  K extends `DELETE /scenarios/${string}/${string}` ? ScenarioOff :
  K extends `POST /gates/${string}/release` ? GateReleased :
  K extends `GET /conduct/rules/${string}` ? ConductRule :
  K extends `POST /users/${string}/expire` ? TokensEnded :
  K extends `POST /users/${string}/revoke` ? TokensEnded :
  K extends `POST /snapshots/${string}/restore` ? Restored :
  K extends `GET /state/${string}/${string}` ? Rows :
  K extends `POST /requests/${string}/replay` ? Replay :
  K extends `GET /problems/${string}` ? ProblemType :
  K extends `GET /openapi/${string}` ? OpenAPIDocument :
  K extends `GET /faults/${string}` ? Fault :
  K extends `PATCH /faults/${string}` ? Fault :
  K extends `GET /stubs/${string}` ? Stub :
  K extends `PUT /stubs/${string}` ? Stub :
  K extends `PATCH /stubs/${string}` ? Stub :
  K extends `GET /gates/${string}` ? Gate :
  K extends `PATCH /gates/${string}` ? Gate :
  K extends `GET /requests/${string}` ? Request :
  K extends `GET /state/${string}` ? Tables :
  K extends `GET /connection-faults/${string}` ? ConnectionFault :
  any;
