// Reads a provider's schema out of its CDK package. The package was generated from the schema that
// the provider publishes: its code says each argument's HCL name, type and nesting, its type
// declarations say which ones are required.
import vm from 'node:vm';

const NESTING = { struct: 'SINGLE', list: 'LIST', set: 'SET', map: 'MAP' };

/** A simple value's type, as the generated code asked for it. */
class Simple {
  constructor(type) {
    this.type = type;
  }
}

class ListOf {
  constructor(element, repeatableBlock) {
    this.element = element;
    this.repeatableBlock = repeatableBlock;
  }
}

class MapOf {
  constructor(element) {
    this.element = element;
  }
}

/** An attribute that can be read; `type` is a Terraform type in its JSON form. */
class Readable {
  constructor(name, type) {
    this.name = name;
    this.type = type;
  }
}

/** What the generated classes extend: it answers what is asked for instead of doing anything. */
class Element {
  getStringAttribute = (name) => new Readable(name, 'string');
  getNumberAttribute = (name) => new Readable(name, 'number');
  getBooleanAttribute = (name) => new Readable(name, 'bool');
  getListAttribute = (name) => new Readable(name, ['list', 'string']);
  getNumberListAttribute = (name) => new Readable(name, ['list', 'number']);
  getStringMapAttribute = (name) => new Readable(name, ['map', 'string']);
  getNumberMapAttribute = (name) => new Readable(name, ['map', 'number']);
  getBooleanMapAttribute = (name) => new Readable(name, ['map', 'bool']);
  interpolationForAttribute = (name) => new Readable(name, 'dynamic');
}

class ComplexElement extends Element {
  constructor(parent, terraformAttribute, third, fourth) {
    super();
    this.terraformAttribute = terraformAttribute;
    this.wrapsSet = third === true || fourth === true;
  }
}

const mapOf = (type) =>
  class extends ComplexElement {
    readableType = ['map', type];
  };

const mapper = (type) => () => new Simple(type);

/** The part of the CDK that generated code calls when it is asked for its arguments. */
const CDK = {
  TerraformResource: class extends Element {},
  TerraformDataSource: class extends Element {},
  TerraformProvider: class extends Element {},
  ComplexObject: class extends ComplexElement {},
  ComplexList: class extends ComplexElement {},
  ComplexMap: class extends ComplexElement {},
  StringMap: mapOf('string'),
  NumberMap: mapOf('number'),
  BooleanMap: mapOf('bool'),
  AnyMap: mapOf('dynamic'),
  StringMapList: class extends ComplexElement {
    readableType = ['list', ['map', 'string']];
  },
  Fn: { tolist: (list) => new Readable(list.name, ['set', list.type?.[1] ?? 'dynamic']) },
  Token: { asAny: (value) => value, asNumberList: (value) => value },
  Tokenization: { isResolvable: () => false },
  canInspect: () => true,
  isComplexElement: () => false,
  stringToHclTerraform: mapper('string'),
  numberToHclTerraform: mapper('number'),
  booleanToHclTerraform: mapper('bool'),
  anyToHclTerraform: mapper('dynamic'),
  listMapperHcl: (element, repeatableBlock) => (value) => new ListOf(element(value), repeatableBlock),
  hashMapperHcl: (element) => (value) => new MapOf(element(value)),
};

/** Stands for any configuration: whatever is read from it is there, and is more of it. */
const anything = new Proxy(
  {},
  { get: (target, name) => (typeof name === 'symbol' ? undefined : anything) },
);

/** Runs a package's code in an empty context: it sees the stand-in above and nothing else. */
function load(code) {
  const exports = {};
  vm.runInNewContext(code, { exports, require: () => CDK }, { timeout: 10_000 });
  return exports;
}

/** The interfaces of the type declarations: name -> HCL name -> {required, type}. */
function declarations(text) {
  const interfaces = new Map();
  for (const [, name, body] of text.matchAll(/export interface (\w+)[^{]*\{\n([\s\S]*?)\n\}/g)) {
    const members = new Map();
    const member = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly \w+(\??): (\w*)/g;
    for (const [, documentation, optional, type] of body.matchAll(member)) {
      const hclName = documentation.match(/#(\w+) \w+#\1\}/)?.[1];
      if (hclName) members.set(hclName, { required: optional === '', type });
    }
    interfaces.set(name, members);
  }
  return interfaces;
}

function typeOf(value, kind, toObject) {
  if (value instanceof Simple) return value.type;
  if (value instanceof MapOf) return ['map', typeOf(value.element, 'simple', toObject)];
  if (value instanceof ListOf) return [kind === 'set' ? 'set' : 'list', typeOf(value.element, 'simple', toObject)];
  return toObject(value);
}

class Reader {
  constructor(code, types) {
    this.exports = load(code);
    this.interfaces = declarations(types);
  }

  /** The block of a resource, data source or provider whose class this is. */
  top(Class) {
    this.isDataSource = Object.getPrototypeOf(Class) === CDK.TerraformDataSource;
    const instance = new Class(undefined, 'any', anything);
    const recorder = new Proxy(instance, {
      get: (target, name) => (typeof name === 'string' && name.startsWith('_') ? anything : target[name]),
    });
    const args = Class.prototype.synthesizeHclAttributes.call(recorder);
    return this.block(args, `${Class.name}Config`, instance);
  }

  block(args, interfaceName, readable) {
    const declared = this.interfaces.get(interfaceName);
    if (!declared) throw new Error(`no type declaration ${interfaceName}`);
    const block = { attributes: [], blocks: [] };
    for (const [name, argument] of Object.entries(args)) {
      const declaration = declared.get(name);
      if (!declaration) throw new Error(`${interfaceName} does not declare ${name}`);
      if (isBlock(argument)) block.blocks.push(this.nested(name, argument, declaration));
      else block.attributes.push(this.argument(name, argument, declaration));
    }
    const known = new Set(Object.keys(args));
    for (const { name, type } of this.readables(readable)) {
      if (!known.has(name)) block.attributes.push({ name, type, computed: true });
      known.add(name);
    }
    return block;
  }

  argument(name, { value, type }, declaration) {
    // Whether the provider fills in what nobody set, the package does not say. It does so for ids, and
    // a data source mostly does for all that it can be asked by.
    const computed = !declaration.required && (name === 'id' || this.isDataSource);
    return {
      name,
      type: typeOf(value, type, (object) => this.objectType(object, declaration.type)),
      required: declaration.required,
      optional: !declaration.required,
      computed,
    };
  }

  nested(name, { value, type }, declaration) {
    const repeatable = value instanceof ListOf || value instanceof MapOf;
    const Reference = this.exports[`${declaration.type}OutputReference`];
    const readable = Reference ? new Reference(undefined, name, 0, false) : undefined;
    return {
      name,
      nesting: NESTING[type],
      required: declaration.required,
      max: repeatable || type === 'struct' ? 0 : 1,
      block: this.block(repeatable ? value.element : value, declaration.type, readable),
    };
  }

  objectType(args, interfaceName) {
    const block = this.block(args, interfaceName, undefined);
    const types = block.attributes.map((attribute) => [attribute.name, attribute.type]);
    for (const { name, nesting, block: inner } of block.blocks) {
      const object = ['object', Object.fromEntries(inner.attributes.map((a) => [a.name, a.type]))];
      types.push([name, [nesting === 'SET' ? 'set' : 'list', object]]);
    }
    return ['object', Object.fromEntries(types)];
  }

  /** Everything that can be read from an instance: its getters, and what its constructor made. */
  readables(instance) {
    if (!instance) return [];
    const found = [];
    const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(instance)))
      .filter(([name, { get }]) => get && !name.endsWith('Input') && name !== 'internalValue')
      .map(([, { get }]) => get.call(instance));
    for (const value of [...getters, ...Object.values(instance)]) {
      if (value instanceof Readable) found.push(value);
      else if (value instanceof ComplexElement) found.push(this.complexReadable(value));
    }
    return found;
  }

  complexReadable(value) {
    const { terraformAttribute: name, wrapsSet } = value;
    if (value.readableType) return new Readable(name, value.readableType);
    const item = typeof value.get === 'function' ? value.get(0) : value;
    const fields = this.readables(item).map((field) => [field.name, field.type]);
    return new Readable(name, [wrapsSet ? 'set' : 'list', ['object', Object.fromEntries(fields)]]);
  }
}

/** Nested values that the provider takes as blocks; lists of objects may also be attributes. */
function isBlock({ value, isBlock }) {
  if (!isBlock || value instanceof Simple) return false;
  if (value instanceof ListOf) return value.repeatableBlock === true;
  return true;
}

/**
 * The schema of what a package's folder defines.
 *
 * @param code the folder's index.js
 * @param types the folder's index.d.ts
 * @return {name, block, version}: its Terraform name (none for a provider), its block, and the
 *     provider's version that the package was generated from
 */
export function readSchema(code, types) {
  const reader = new Reader(code, types);
  const bases = [CDK.TerraformResource, CDK.TerraformDataSource, CDK.TerraformProvider];
  const Class = Object.values(reader.exports).find(
    (candidate) => typeof candidate === 'function' && bases.includes(Object.getPrototypeOf(candidate)),
  );
  if (!Class) throw new Error('the package folder defines no resource, data source or provider');
  const version = types.match(/registry\.terraform\.io\/providers\/[^/]+\/[^/]+\/([\d.]+)/)?.[1];
  return { name: Class.tfResourceType, block: reader.top(Class), version };
}

