let root = {};
/** Follows references inside the document; a circle or a foreign one ends in an open schema. */
const resolved = (schema) => {
  let value = schema;
  for (let steps = 0; steps < 20; steps += 1) {
    if (!isObject(value) || typeof value.$ref !== "string") return isObject(value) ? value : {};
    if (!value.$ref.startsWith("#/")) return {};
    value = value.$ref.slice(2).split("/").reduce(
      (place, part) => {
        const key = decodeURIComponent(part).replace(/~1/g, "/").replace(/~0/g, "~");
        return (isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key) ? place[key] : undefined;
      },
      root);
  }
  return {};
};
const referenceName = (schema) =>
  isObject(schema) && typeof schema.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : "";

const typeWords = (schema, depth = 0) => {
  const name = referenceName(schema);
  if (name) return name;
  if (!isObject(schema) || depth > 4) return "anything";
  const choices = list(schema.oneOf).concat(list(schema.anyOf));
  if (choices.length) return choices.map((choice) => typeWords(choice, depth + 1)).join(" or ");
  if (list(schema.allOf).length) return schema.allOf.map((part) => typeWords(part, depth + 1)).join(" and ");
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  const types = (Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : []).map(String);
  const words = types.map((type) => {
    if (type === "array") return `list of ${typeWords(schema.items, depth + 1)}`;
    return schema.format && type !== "null" ? `${type} (${text(schema.format)})` : type;
  });
  if (schema.nullable === true && !types.includes("null")) words.push("null");
  return words.join(" or ") || "anything";
};

const limits = (schema) => {
  const words = [];
  const range = (low, high, unit) => {
    const counted = (number) => `${text(number)}${unit && ` ${unit}${number === 1 ? "" : "s"}`}`;
    if (low !== undefined && high !== undefined) words.push(`${text(low)} to ${counted(high)}`);
    else if (low !== undefined) words.push(`at least ${counted(low)}`);
    else if (high !== undefined) words.push(`at most ${counted(high)}`);
  };
  range(schema.minimum, schema.maximum, "");
  range(schema.minLength, schema.maxLength, "character");
  range(schema.minItems, schema.maxItems, "item");
  if (schema.pattern !== undefined) words.push(`pattern ${text(schema.pattern)}`);
  if (schema.default !== undefined) words.push(`if absent ${JSON.stringify(schema.default)}`);
  if (schema.additionalProperties === false) words.push("no other members");
  return words.join(" · ");
};

const enumeration = (schema) =>
  list(schema.enum).length
    ? make("p", {}, "one of ", schema.enum.map((value, index) => [index ? ", " : "", make("code", {}, JSON.stringify(value))]))
    : null;

/** The schemas below this one that have members of their own to show. */
const inner = (schema) => {
  const value = resolved(schema);
  const found = [];
  if (members(value.properties).length) found.push(value);
  for (const choice of [...list(value.oneOf), ...list(value.anyOf), ...list(value.allOf)]) found.push(...(found.length > 20 ? [] : inner(choice)));
  if (isObject(value.items)) found.push(...inner(value.items));
  if (isObject(value.additionalProperties)) found.push(...inner(value.additionalProperties));
  return found;
};

const unfolding = (words, content) => {
  const box = make("details", {}, make("summary", {}, words));
  box.addEventListener("toggle", () => { if (box.open && box.childElementCount === 1) box.append(content()); });
  return box;
};

const memberList = (object) =>
  make("ul", { class: "members" }, members(object.properties).map(([name, property]) => {
    const value = resolved(property);
    const below = inner(property);
    const note = limits(value);
    const example = property.example ?? list(property.examples)[0];
    return make("li", {},
      make("code", {}, name), " ", make("span", { class: "type" }, typeWords(property)), " ",
      list(object.required).includes(name) ? make("span", { class: "must" }, "required") : null,
      (property.description || value.description) && make("p", { dir: "auto" }, text(property.description || value.description)),
      enumeration(value), note && make("p", {}, note),
      example !== undefined && make("p", {}, "e.g. ", make("code", {}, JSON.stringify(example))),
      below.map((part) => unfolding("members", () => memberList(part))));
  }));

const schemaView = (schema) => {
  const value = resolved(schema);
  const below = inner(schema);
  const note = limits(value);
  return make("div", {},
    make("p", { class: "type" }, typeWords(schema), note && ` · ${note}`),
    value.description && make("p", { class: "note", dir: "auto" }, text(value.description)),
    enumeration(value), below.slice(0, 12).map(memberList));
};

/** A value that fits, for a body nobody gave an example for. */
const sample = (schema, depth = 0) => {
  const value = resolved(schema);
  if (isObject(schema) && schema.example !== undefined) return schema.example;
  if (value.example !== undefined) return value.example;
  if (list(value.examples).length) return value.examples[0];
  if (value.default !== undefined) return value.default;
  if (value.const !== undefined) return value.const;
  if (list(value.enum).length) return value.enum[0];
  if (depth > 6) return null;
  const choice = list(value.oneOf)[0] || list(value.anyOf)[0];
  if (choice) return sample(choice, depth + 1);
  if (list(value.allOf).length) return Object.assign({}, ...value.allOf.map((part) => sample(part, depth + 1)));
  const type = Array.isArray(value.type) ? value.type.find((one) => one !== "null") : value.type;
  if (type === "object" || isObject(value.properties)) {
    const required = list(value.required);
    const shown = members(value.properties).filter(([name]) => !required.length || required.includes(name));
    return Object.fromEntries(shown.map(([name, property]) => [name, sample(property, depth + 1)]));
  }
  if (type === "array") return value.minItems ? [sample(value.items, depth + 1)] : [];
  if (type === "integer" || type === "number") return value.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "string") return value.format === "date-time" ? "2025-01-01T12:00:00Z" : "";
  return null;
};
