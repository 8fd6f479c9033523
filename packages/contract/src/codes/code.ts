/** Values of a parameter and their labels, in Chinese and in English. */
type Words = Readonly<Record<string, readonly [zh: string, en: string]>>

/**
 * An error: its code and its message in both languages. `{name}` is replaced by a parameter; one with `words` is sent
 * as its value and shown in the reader's language.
 */
export type Code = { code: number; zh: string; en: string; words?: Readonly<Record<string, Words>> }

export const code = (n: number, zh: string, en: string): Code => ({ code: n, zh, en })

export type Params = Record<string, string | number>

export const fillTemplate = (text: string, params: Params = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))

/** Replacements of `{what}` and `{field}` in messages about any kind of row; generated ones have one language. */
const things: Readonly<Record<string, string>> = {
  用户: 'The user',
  角色: 'The role',
  部门: 'The department',
  会话: 'The session',
  操作日志: 'The operation',
  学校: 'The school',
  学校名称: 'The name of the school',
  学校代码: 'The code of the school',
  设备: 'The device',
  设备型号: 'The device model',
  设备序列号: 'The serial number',
  产品标识: 'The product key',
  型号名称: 'The model of this vendor',
  安装: 'The installation',
  命令: 'The command',
  测试计划: 'The test plan',
  维修工单: 'The maintenance order',
  规程: 'The procedure',
  升级: 'The rollout',
  版本号: 'The release',
  规程名称: 'The name of the procedure',
  作业: 'The run',
  位置: 'The place',
  人员: 'The person',
  工号: 'The employee number',
  警情: 'The alarm',
  岗位: 'The post',
  班次: 'The shift',
  换班: 'The swap',
  交接班: 'The handover',
  巡查计划: 'The patrol plan',
  接警规则: 'The rule',
  规则名称: 'The name of the rule',
  送达记录: 'The delivery',
  通知策略: 'The escalation policy',
  策略名称: 'The name of the policy',
  大屏链接: 'The wall link',
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

/** The message of an error. For one item of a bulk action, the parameter `which` names the item. */
export const errorMessage = (of: Code, params: Params | undefined, lang: 'zh-cn' | 'en'): string => {
  const said = inWords(of, params, lang)
  const text = lang === 'en' ? fillTemplate(of.en, inEnglish(said)) : fillTemplate(of.zh, said)
  if (params?.['which'] === undefined) return text
  return lang === 'en' ? `${params['which']}: ${text}` : `【${params['which']}】${text}`
}
