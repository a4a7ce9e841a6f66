// @ts-check
// Made by `make effects` from the declarations in Sources/Conditions/Faults/Effects; do not edit.

/** The forms of each effect's orders: values by their paths, with their kinds, and an example of those that are required. @type {Record<string, EffectValue[][]>} */
export const EFFECTS = {
  status: [
    [["status","number",500],["retryAfter","number"],["code","text"],["message","text"]],
    [["status","number",500],["retryAfter","text"],["code","text"],["message","text"]],
  ],
  respond: [
    [["respond.status","number",200],["respond.headers","lines"],["respond.body","json"],["respond.text","text"],["respond.base64","text"],["respond.template",[true,false]]],
  ],
  delay: [
    [["delay.ms","number",800],["delay.max","number"]],
    [["delay.uniform","json",[10,50]],["delay.max","number"]],
    [["delay.lognormal.median","number",40],["delay.lognormal.p95","number",90],["delay.max","number"]],
    [["delay.exponential.mean","number",20],["delay.max","number"]],
  ],
  throttle: [
    [["throttle.bytesPerSecond","number",1000]],
  ],
  dribble: [
    [["dribble.chunks","number",4],["dribble.overMs","number",400]],
  ],
  connection: [
    [["connection",["reset","truncate"],"reset"],["afterBytes","number"]],
    [["connection",["stall"],"stall"],["afterBytes","number"],["forMs","number"]],
    [["connection",["empty","malformed-chunk"],"empty"]],
    [["connection",["close"],"close"],["afterMs","number"]],
    [["connection",["garbage"],"garbage"],["layer",["tls"]]],
  ],
  body: [
    [["body",["html","invalid-json","empty","truncated-json","wrong-content-type"],"invalid-json"]],
  ],
  drift: [
    [["drift.remove","text","data.user.email"]],
    [["drift.set","text","data.tier"],["drift.to","json","platinum"]],
    [["drift.null","text","items[0].name"]],
    [["drift.add.path","text","items.*.new"],["drift.add.value","json",{"a":null}]],
    [["drift.retype","text","data.id"],["drift.as",["string","number","boolean","object","array","null"],"string"]],
    [["drift.auto",["additive","breaking"],"breaking"]],
    [["drift","json",[{"remove":"data.name"},{"retype":"data.id","as":"string"}]]],
  ],
  range: [
    [["range",["none","ignored","changed","weak","shifted"],"ignored"]],
  ],
  coding: [
    [["coding",["gzip","deflate","missing","cut"],"gzip"]],
    [["coding",["wrong"],"wrong"],["as","text"]],
  ],
  stream: [
    [["stream.cutAfterEvents","number",2]],
    [["stream.errorAfterEvents","number",2]],
    [["stream.gapMs","number",500],["stream.afterEvents","number"]],
    [["stream.duplicate","number",1]],
    [["stream.splitUtf8",[true,false],true]],
  ],
  upload: [
    [["upload.readBytesPerSecond","number",100]],
    [["upload.stopAfterBytes","number",10]],
    [["upload.rejectEarly","number",413]],
    [["upload.resetAfterBytes","number",10]],
    [["upload.continue",["never"],"never"]],
    [["upload.continueAfterMs","number",100]],
  ],
  tokens: [
    [["tokens",["expire","revoke"],"expire"]],
  ],
  framing: [
    [["framing",["chunked","close","longer"],"chunked"]],
  ],
  raw: [
    [["raw.text","json","HTTP/1.1 204 No Content\r\n\r\nmilk"],["raw.then",["close","keep","stall","reset"]]],
    [["raw.base64","text","AAE="],["raw.then",["close","keep","stall","reset"]]],
  ],
  interim: [
    [["interim","json",[{"status":103,"headers":[["Link","</app.css>; rel=preload"]],"afterMs":100}]]],
  ],
};
