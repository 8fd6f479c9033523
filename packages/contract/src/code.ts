/** Values of a param and what they are called, in Chinese and in English. */
type Words = Readonly<Record<string, readonly [zh: string, en: string]>>

/**
 * A refusal: its code, its sentence in both languages. `{name}` is filled from the refusal's params; one that has `words`
 * travels as its value and is said in the reader's.
 */
export type Code = { code: number; zh: string; en: string; words?: Readonly<Record<string, Words>> }

export const code = (n: number, zh: string, en: string): Code => ({ code: n, zh, en })

export type Params = Record<string, string | number>

export const fillTemplate = (text: string, params: Params = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))

/** What `{what}` and `{field}` stand for in sentences about any kind of row; the names of generated ones have one language. */
const things: Readonly<Record<string, string>> = {
  用户: 'The user',
  角色: 'The role',
  部门: 'The department',
  会话: 'The session',
  操作日志: 'The operation',
  学校: 'The school',
  设备: 'The device',
  设备型号: 'The device model',
  设备序列号: 'The serial number',
  产品标识: 'The product key',
  型号名称: 'The model of this vendor',
  安装: 'The installation',
  命令: 'The command',
  测试计划: 'The test plan',
  位置: 'The place',
  警情: 'The alarm',
  接警规则: 'The rule',
  规则名称: 'The name of the rule',
}
const inEnglish = (params: Params = {}): Params => {
  const named = ['what', 'field'].filter((name) => typeof params[name] === 'string')
  return {
    ...params,
    ...Object.fromEntries(named.map((name) => [name, things[`${params[name]}`] ?? `${params[name]}`])),
  }
}

const inWords = ({ words = {} }: Code, params: Params = {}, lang: 'zh-cn' | 'en'): Params => {
  const said = Object.keys(words).flatMap((name) => {
    const word = words[name]?.[`${params[name]}`]
    return word ? [[name, word[lang === 'en' ? 1 : 0]] as const] : []
  })
  return { ...params, ...Object.fromEntries(said) }
}

/** What a refusal says. Where it is one of several that were to be done at once, the param `which` says of which. */
export const errorMessage = (of: Code, params: Params | undefined, lang: 'zh-cn' | 'en'): string => {
  const said = inWords(of, params, lang)
  const text = lang === 'en' ? fillTemplate(of.en, inEnglish(said)) : fillTemplate(of.zh, said)
  if (params?.['which'] === undefined) return text
  return lang === 'en' ? `${params['which']}: ${text}` : `【${params['which']}】${text}`
}
