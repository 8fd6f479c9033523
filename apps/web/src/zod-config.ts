type ZodGlobal = { __zod_globalConfig?: { jitless?: boolean } }

/**
 * The content security policy forbids code made from text, and zod tries it when the first object schema is made. Set
 * on zod's own global object, as the first script of the page must not wait for zod; it may run before or after zod.
 */
const holder = globalThis as ZodGlobal
holder.__zod_globalConfig ??= {}
holder.__zod_globalConfig.jitless = true
