import { type Plugin, runnerImport } from 'vite'
import { pickLanguage, type Topic } from './src/texts/topic.ts'

const BY_LANGUAGE = /^(.+\/texts\/texts\.ts)\?(zh-cn|en)$/

/** Both languages of a text stand in one file; `texts.ts?en` is the module with the English ones alone. */
export const splitTexts = (): Plugin => ({
  name: 'tocsin:split-texts',
  enforce: 'pre',
  // The module depends on files that are not its source, so that a stored one would keep old texts.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (BY_LANGUAGE.test(id) ? false : undefined)),
  async load(id) {
    const [, file, lang] = BY_LANGUAGE.exec(id) ?? []
    if (!file || (lang !== 'zh-cn' && lang !== 'en')) return null
    const { module, dependencies } = await runnerImport<{ texts: Record<string, Topic> }>(file, { configFile: false })
    for (const dependency of [file, ...dependencies]) this.addWatchFile(dependency)
    return { code: `export const texts = ${JSON.stringify(pickLanguage(module.texts, lang))}`, moduleType: 'js' }
  },
})
