// @ts-check
// The lines of the journal, newest first loaded, kept in the order of `seq` and merged with the events.
import { Problem, app, emit, get, items, murmur, on, query, reply } from "./core.js";
import { FIRST, early } from "./early.js";
import { count } from "./text.js";

const MOST = 200000;
const PAGE = 5000;

const known = new Map();
function kept(text) {
  if (!text) return "";
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size < 20000) known.set(text, text);
  return text;
}

/** An instant in milliseconds, with its microseconds as a fraction. */
const instant = (text) => Date.parse(text) + Number(`0.${text.slice(23, -1)}`);

/** @param {any} raw a line or an entry @param {number} [seq] @returns {Line} */
export function lineOf(raw, seq = raw.seq) {
  const { id, at, startedAt, query, ms, timings: { receive = 0, handle = 0, wait = 0, send = 0 } } = raw;
  return {
    seq, id, at: Date.parse(at), started: instant(startedAt), query: query ?? "", ms, receive, handle, wait, send,
    api: kept(raw.api), route: kept(raw.route), user: kept(raw.user), method: kept(raw.method), path: kept(raw.path), status: raw.status ?? 0, outcome: kept(raw.outcome),
    requestBytes: raw.requestBytes ?? 0, responseBytes: raw.responseBytes ?? 0,
    fault: kept(raw.fault?.id ?? raw.fault), scenario: kept(raw.scenario), gate: kept(raw.gate), replayOf: kept(raw.replayOf),
    answeredBy: kept(raw.answeredBy), nearestStub: kept(raw.nearestStub), violations: raw.violations?.length ?? raw.violations ?? 0,
  };
}

const isError = (line) => line.status >= 400 || (line.outcome !== "delivered" && line.outcome !== "held");

export const journal = {
  /** @type {Line[]} in the order of `seq` */
  rows: [],
  /** @type {JournalNote[]} */
  notes: [],
  /** @type {Map<string, string[]>} rules by the exchanges that break them */
  findings: new Map(),
  total: 0,
  dropped: 0,
  isLoading: false,
  isRead: false,
  /** Rises with every change of the rows. */
  version: 0,
  /** Rises when rows are there that were not at the end. */
  shape: 0,
};

let reading = 0;
let isDrawn = false;
let arrived = 0;
let failed = 0;
/** Events that came while the first page was read */
let waiting = [];

/** Lines that came or changed since the last frame. */
const touched = new Set();
function changed(line) {
  journal.version += 1;
  if (line) touched.add(line);
  if (isDrawn) return;
  isDrawn = true;
  requestAnimationFrame(() => {
    isDrawn = false;
    const lines = [...touched];
    touched.clear();
    for (const one of lines) emit("line", one);
    emit("rows");
  });
}

/** The place of the first row whose `seq` is not smaller. @param {number} seq */
export function place(seq, rows = journal.rows) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
function lineAt(seq) {
  const line = journal.rows[place(seq)];
  return line?.seq === seq ? line : undefined;
}
export function lineNamed(id) {
  const { rows } = journal;
  for (let index = rows.length - 1; index >= 0; index -= 1) if (rows[index].id === id) return rows[index];
}
function insert(line) {
  const { rows } = journal;
  const index = place(line.seq);
  if (rows[index]?.seq === line.seq) {
    Object.assign(rows[index], line);
    return false;
  }
  if (index < rows.length) journal.shape += 1;
  rows.splice(index, 0, line);
  if (rows.length > MOST * 1.1) {
    rows.splice(0, rows.length - MOST);
    journal.shape += 1;
  }
  return true;
}
function arrive(data) {
  const line = lineOf(data, data.entry ?? data.seq);
  const seen = lineAt(line.seq);
  // The end may have been read with a list already.
  if (seen && seen.outcome !== "held" && line.outcome === "held") return;
  if (insert(line)) {
    journal.total += 1;
    arrived += 1;
    if (isError(line)) failed += 1;
    murmur(arrivals);
  }
  // Rows are known by the object that is kept.
  changed(lineAt(line.seq) ?? line);
}
/** What has come since it was last told. */
function arrivals() {
  const words = `${count(arrived, "new request")}, ${count(failed, "error")}`;
  arrived = failed = 0;
  return words;
}
function end(data) {
  const line = lineAt(data.entry);
  if (!line) return;
  const { status, outcome, ms, responseBytes, timings, answeredBy, nearestStub, violations } = data;
  Object.assign(line, { status, outcome: kept(outcome), ms, responseBytes, ...timings });
  // A line that was held may have come without them.
  if (answeredBy) Object.assign(line, { answeredBy: kept(answeredBy), nearestStub: kept(nearestStub), violations: violations ?? 0 });
  changed(line);
}
function addNotes(...raws) {
  const known = new Set(journal.notes.map((note) => note.id));
  const fresh = raws.filter((raw) => !known.has(raw.id)).map((raw) => ({ ...raw, isNote: true }));
  if (!fresh.length) return;
  journal.notes = [...journal.notes, ...fresh].sort((a, b) => a.after - b.after || order(a) - order(b)).slice(-1000);
  journal.shape += 1;
  changed();
}
const order = (note) => Number(/\d+$/.exec(note.id)[0]);

/** Shows the newest lines before the stream is open, after which they are read again. */
async function showEarly() {
  const newest = await early;
  if (newest?.world !== app.world || reading > 0) return;
  journal.total = newest.total;
  journal.isLoading = true;
  for (const raw of newest.items.reverse()) insert(lineOf(raw));
  journal.version += 1;
  // At once: the first frames of a page are late.
  emit("rows");
}

/** The line as it is known, brought up to date: rows are known by the object, and need not be drawn again if nothing differs. @param {Line | undefined} known @param {Line} line */
function same(known, line) {
  // After a reset the ids begin anew.
  if (known?.id !== line.id || known.started !== line.started) return line;
  if (Object.entries(line).some(([name, value]) => !Object.is(value, known[name]))) changed(Object.assign(known, line));
  return known;
}

/** Reads everything anew; rows that are shown stay until then. */
async function read(empties) {
  const own = (reading += 1);
  if (empties) clear();
  journal.isLoading = true;
  waiting = [];
  try {
    const newest = await page(undefined, FIRST);
    if (own !== reading) return;
    const known = new Map(journal.rows.slice(-FIRST).map((line) => [line.seq, line]));
    if (!empties) clear();
    journal.total = newest.total;
    for (const line of newest.lines.reverse()) insert(same(known.get(line.seq), line));
    const oldestRead = newest.total > FIRST ? journal.rows[0].seq : 0;
    const isReplaced = [...known.values()].some((line) => line.seq >= oldestRead && lineAt(line.seq) !== line);
    const early = waiting;
    waiting = null;
    journal.isRead = true;
    for (const take of early) take();
    if (isReplaced) emit("replaced");
    emit("read");
    changed();
    void readNotes(own);
    void readState();
    let oldest = journal.rows[0]?.seq;
    let more = newest.lines.length === FIRST;
    while (more && journal.rows.length < MOST) {
      const next = await page(oldest, PAGE);
      if (own !== reading) return;
      more = next.lines.length === PAGE;
      const lines = next.lines.reverse();
      oldest = lines[0]?.seq ?? oldest;
      journal.rows = lines.concat(journal.rows);
      journal.total = Math.max(journal.total, journal.rows.length);
      journal.shape += 1;
      changed();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    journal.total = journal.rows.length < MOST ? journal.rows.length : journal.total;
  } catch (error) {
    if (own === reading) {
      emit("read-failed", error);
      // The stream stays open: nothing else would read them.
      if (error instanceof Problem && error.status !== 404 && !journal.isRead) setTimeout(() => void (own === reading && read(false)), 2000);
    }
  } finally {
    if (own === reading) {
      journal.isLoading = false;
      waiting = null;
      changed();
      setTimeout(() => void readFindings(own), 1000);
    }
  }
}
async function page(before, limit) {
  const { json, total } = await reply("GET", `/requests${query({ view: "line", limit, before })}`, { isSlow: true });
  return { lines: json.items.map((raw) => lineOf(raw)), total };
}
async function readNotes(own) {
  try {
    const notes = await items("/notes?limit=1000");
    // Merged: one may have come while the list was on its way.
    if (own === reading) addNotes(...notes);
  } catch { /* The connection says so. */ }
}

/** Reads what was found before this page listened. */
async function readFindings(own) {
  if (own !== reading) return;
  try {
    const report = await get("/conduct", { isSlow: true });
    if (own === reading) markFindings(report);
  } catch { /* The report page tells why. */ }
}

let stateTimer = 0;
/** Reads what the journal's bound has pushed out. */
async function readState() {
  clearTimeout(stateTimer);
  // Often enough to notice within seconds that nobody answers.
  stateTimer = setTimeout(readState, 1500);
  if (document.hidden) return;
  try {
    const state = await get("/journal");
    journal.dropped = state.dropped;
    emit("journal", state);
    if (state.from && journal.rows.length && journal.rows[0].seq < state.from) {
      journal.rows = journal.rows.slice(place(state.from));
      journal.total = state.entries;
      journal.shape += 1;
      changed();
    }
  } catch { /* It is asked again. */ }
}

function clear() {
  journal.rows = [];
  journal.notes = [];
  // After a reset the ids begin anew.
  journal.findings.clear();
  journal.total = 0;
  journal.isRead = false;
  journal.shape += 1;
  changed();
}

export function startJournal() {
  const when = (take) => (data) => {
    if (waiting) waiting.push(() => take(data));
    else take(data);
  };
  on("event:request", when(arrive));
  on("event:outcome", when(end));
  on("event:note", when(addNotes));
  on("event:finding", (data) => markFindings({ findings: [data] }));
  on("open", (isAgain) => void (isAgain && journal.isRead ? readNew() : read(false)));
  on("poll", () => void (journal.isRead ? readNew() : journal.isLoading || read(false)));
  on("reread", () => void read(true));
  on("world", () => {
    reading += 1;
    clear();
  });
  void showEarly();
}

export function markFindings(report) {
  for (const { rule, requests } of report.findings) {
    for (const id of requests) {
      const rules = journal.findings.get(id) ?? [];
      if (!rules.includes(rule)) journal.findings.set(id, [...rules, rule]);
    }
  }
  emit("findings");
}

/** Tells that the newest row is not the server's, as after a restart without state. */
async function isAnother() {
  const newest = journal.rows.at(-1);
  if (!newest) return false;
  try {
    const { json } = await reply("GET", `/requests${query({ view: "line", limit: 1, before: newest.seq + 1 })}`);
    return !json.items[0] || lineOf(json.items[0]).started !== newest.started;
  } catch {
    return false;
  }
}

/** Reads what came since, by pages from the newest. */
async function readNew() {
  const own = reading;
  if (await isAnother()) return read(true);
  const since = journal.rows.at(-1)?.seq ?? 0;
  const held = journal.rows.filter((line) => line.outcome === "held" || line.ms === undefined).slice(-200);
  try {
    let before;
    for (;;) {
      const { json } = await reply("GET", `/requests${query({ view: "line", limit: PAGE, since, before })}`, { isSlow: true });
      if (own !== reading) return;
      for (const raw of json.items) arrive(raw);
      if (json.items.length < PAGE) break;
      before = json.items.at(-1).seq;
    }
    for (const line of held) {
      const { json } = await reply("GET", `/requests${query({ view: "line", limit: 1, before: line.seq + 1 })}`);
      if (own !== reading) return;
      if (json.items[0]?.seq === line.seq) arrive(json.items[0]);
    }
    void readNotes(own);
    void readState();
  } catch { /* The connection says so. */ }
}
