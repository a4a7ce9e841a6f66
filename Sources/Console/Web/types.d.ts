// The shapes that modules of the console share; their JSDoc names them. Not served.

interface EmulatedAPI { name: string; title: string; url: string; endpoints: number; scenarios: number }
interface App {
  route: Route;
  world: string;
  apis: EmulatedAPI[];
  worlds: any[];
  /** Ends when the page of the address is there. */
  shown: Promise<void>;
}
interface Route { page: string; rest: string[]; params: URLSearchParams }

/** What is set in a world. */
interface WorldState {
  clock: { mode: string; now: string; rate: number } | null;
  faults: any[];
  faultsEnabled: boolean;
  gates: any[];
  scenarios: any[];
  latency: any;
  modes: any[];
}

interface Page { show: (main: HTMLElement, signal: AbortSignal) => any }

interface CallOptions {
  body?: any;
  /** The present one if absent. */
  world?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The answer may take long by its nature. */
  isSlow?: boolean;
}

/** Members of an address; one without value is taken out. */
type AddressMembers = Record<string, string | null | undefined>;
type Answer<M extends string, P extends string> = import("./control.js").Answer<M, P>;
type Call = <M extends string, P extends string>(method: M, path: P, options?: CallOptions) => Promise<Answer<M, P>>;
type Reply = <M extends string, P extends string>(method: M, path: P, options?: CallOptions) => Promise<{ json: Answer<M, P>; total: number }>;
type Get = <P extends string>(path: P, options?: CallOptions) => Promise<Answer<"GET", P>>;
type Send = (method: string, path: string, options?: CallOptions) => Promise<Response>;
type GetItems = <P extends string>(path: P, options?: CallOptions) => Promise<import("./control.js").Items<P>>;

/** A line of the journal, with its instants as numbers of milliseconds. */
interface Line {
  seq: number;
  id: string;
  at: number;
  started: number;
  api: string;
  route: string;
  user: string;
  method: string;
  path: string;
  query: string;
  status: number;
  outcome: string;
  ms: number | undefined;
  receive: number;
  handle: number;
  wait: number;
  send: number;
  requestBytes: number;
  responseBytes: number;
  fault: string;
  scenario: string;
  gate: string;
  replayOf: string;
  /** What exactly answered it; empty for an endpoint of a built-in API. */
  answeredBy: string;
  nearestStub: string;
  violations: number;
}
interface JournalNote { id: string; kind: string; after: number; at: string; wallAt: string; text: string; data?: any; isNote: true }
interface LineFilter { test: (line: Line) => boolean; phrase: string; problem: string; isEmpty: boolean }

interface StreamEvent { id: string; event: string; data: string }
type ConnectionState = "Connecting" | "Live" | "Polling" | "Reconnecting" | "Away";

interface Choice { value: string; label: string; note?: string }
interface ComboboxParts {
  name: string;
  /** May leave out what has none of the words. */
  options: (words: string[]) => Choice[];
  choose: (value: string) => any;
  /** Shown while nothing is typed. */
  value?: string;
  placeholder?: string;
  /** The list is always shown. */
  isOpen?: boolean;
}

/** A cell that is made only if its place shows another one. */
interface NamedCell {
  /** The same for cells that look the same. */
  name: string;
  make: () => any;
  /** Makes the node of another cell with the same function show the item: cheaper than a node of its own. */
  change?: (node: any, item: any) => void;
  item?: any;
}

interface GridOptions<Item> {
  name: string;
  /** `text` is what a column shows while the list moves too fast to be read. */
  columns: { key: string; title: string; width: string; sorts?: boolean; text?: (item: Item) => string }[];
  /** The contents of the cells; may set attributes of the row. */
  render: (item: Item, row: any) => any[];
  /** Spans all columns; selection and keys pass over it. */
  isApart?: (item: Item) => boolean;
  open?: (item: Item) => any;
  sort?: (key: string) => void;
  /** Returns true for a key that it has used. */
  key?: (event: KeyboardEvent, item: Item | undefined) => boolean;
  /** Of a row, in pixels. */
  height?: number;
  /** By which an item is known when it is read anew. */
  identity?: (item: Item) => any;
  selects?: boolean;
}

interface DialogParts {
  title: string;
  content: any[];
  /** The name of a button that closes it. */
  closes?: string;
  /** True if absent. */
  isModal?: boolean;
  /** `alertdialog` where it asks. */
  role?: string;
  closed?: () => void;
  className?: string;
}
interface ControlCall { method: string; path: string; body?: any; world?: string }
interface CallForm {
  title: string;
  content: any[];
  /** The name of the button that makes the call. */
  action: string;
  /** Null where the fields say why not. */
  request: () => ControlCall | null;
  /** What follows the call, whose answer it is given. */
  done: (answer: any) => any;
  staysOpen?: boolean;
  role?: string;
}

interface KeptBody { bytes: number; declared?: number; sha256?: string; text?: string; base64?: string; truncated?: boolean }
interface SchemaFault { path: string; reason: string }

/** A value in orders of an effect: its path, its kind or the values that it may have, and an example if it is required. */
type EffectValue = [key: string, kind: any, example?: any];

interface TableContext { api: string; table: string; epoch: number; tables: any[]; homes: Map<string, string>; found: () => void }
