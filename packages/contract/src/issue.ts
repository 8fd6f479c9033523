import type { z } from 'zod'
import { hintOf, type Label, labelOf, type Lang, unwrap } from './field.ts'

/** One rejected field in `data.errors`: the rule and its bounds let the console show the message in either language. */
export type FieldError = {
  field: string
  message: string
  rule: Rule
  bound?: number | string
  label?: Label
  /** What the format asks for, with an example. */
  hint?: Label
}

export type Rule =
  | 'required'
  | 'empty'
  | 'type'
  | 'unknown'
  | 'tooShort'
  | 'tooLong'
  | 'tooFew'
  | 'tooMany'
  | 'tooSmall'
  | 'tooBig'
  | 'step'
  | 'format'
  | 'choice'
  | 'fileType'
  | 'picture'
  | 'pictureKind'
  | 'matched'
  | 'fixed'
  | 'unseen'
  | 'differs'

const texts: Record<Rule, { 'zh-cn': string; en: string }> = {
  required: { 'zh-cn': '{label}不能为空', en: '{label}: this is required' },
  empty: { 'zh-cn': '{label}不能为空', en: '{label} is empty' },
  type: { 'zh-cn': '{label}格式不正确', en: '{label}: of the wrong type' },
  unknown: { 'zh-cn': '不支持的参数：{field}', en: 'Unknown parameter: {field}' },
  tooShort: { 'zh-cn': '{label}不能少于 {bound} 个字符', en: '{label}: at least {bound} characters' },
  tooLong: { 'zh-cn': '{label}不能超过 {bound} 个字符', en: '{label} may have at most {bound} characters' },
  tooFew: { 'zh-cn': '{label}不能少于 {bound} 个', en: '{label}: at least {bound}' },
  tooMany: { 'zh-cn': '{label}不能超过 {bound} 个', en: '{label} may have at most {bound}' },
  tooSmall: { 'zh-cn': '{label}不能小于 {bound}', en: '{label} may not be less than {bound}' },
  tooBig: { 'zh-cn': '{label}不能大于 {bound}', en: '{label} may not be more than {bound}' },
  step: { 'zh-cn': '{label}必须是 {bound} 的倍数', en: '{label} must be a multiple of {bound}' },
  format: { 'zh-cn': '{label}格式不正确', en: '{label}: not well-formed' },
  choice: { 'zh-cn': '{label}不是可选的值', en: '{label}: not one of the choices' },
  fileType: { 'zh-cn': '{label}的类型不支持，可用：{bound}', en: '{label}: not one of the types {bound}' },
  picture: { 'zh-cn': '{label}的内容不是图片', en: '{label}: its content is not a picture' },
  pictureKind: {
    'zh-cn': '{label}是 {bound} 图片，不支持，请另存为 JPEG 或 PNG',
    en: '{label} is a {bound} picture, which is not supported; save it as JPEG or PNG',
  },
  unseen: { 'zh-cn': '{label}含有看不见的字符 {bound}', en: '{label} has the invisible character {bound}' },
  matched: {
    'zh-cn': '{label}不能包含本规则匹配的代码：{bound}',
    en: '{label} may not hold what the rule matches: {bound}',
  },
  /** SPEC 5, of a password that is typed twice. */
  differs: { 'zh-cn': '两次输入密码不一致', en: 'The two passwords are inconsistent' },
  fixed: { 'zh-cn': '{label}只能由管理员修改', en: '{label} can only be changed by an administrator' },
}

/** Of a bound that is a date or a time of day. */
const timeTexts: Partial<typeof texts> = {
  tooSmall: { 'zh-cn': '{label}应晚于 {bound}', en: '{label} must be after {bound}' },
  tooBig: { 'zh-cn': '{label}不能晚于 {bound}', en: '{label} may not be after {bound}' },
}
const isTime = (bound: number | string | undefined) => /^(\d{4}-\d\d-\d\d|\d\d:\d\d$)/.test(String(bound))
/** A day may be the same day. */
const sinceDay = { 'zh-cn': '{label}不能早于 {bound}', en: '{label} may not be before {bound}' }
const isDay = (bound: number | string | undefined) => /^\d{4}-\d\d-\d\d$/.test(String(bound))

/** Of a format that says what it asks for. */
const hinted = { 'zh-cn': '{label}应为 {hint}', en: '{label}: enter {hint}' }

const textOf = ({ rule, bound, hint }: Omit<FieldError, 'message'>) => {
  if (rule === 'format' && hint) return hinted
  if (rule === 'tooSmall' && isDay(bound)) return sinceDay
  return (isTime(bound) && timeTexts[rule]) || texts[rule]
}

/** SPEC 5: the label of input without one, such as a missing body. */
const unnamed = { 'zh-cn': '该项为必填项', en: 'This is required' }

/** The message for one rejected field; without a label the path itself is shown. */
export const issueText = (error: Omit<FieldError, 'message'>, lang: Lang): string => {
  const label = (lang === 'en' ? error.label?.titleEn : error.label?.title) ?? error.field
  if (label === '' && error.rule === 'required') return unnamed[lang]
  return textOf(error)
    [lang].replace('{label}', label)
    .replace('{field}', error.field)
    .replace('{bound}', String(error.bound ?? ''))
    .replace('{hint}', (lang === 'en' ? error.hint?.titleEn : error.hint?.title) ?? '')
    .replace(/应为 (?=\p{Script=Han})/u, '应为')
}

/** The message beneath the rejected field itself, whose label is above it (SPEC 5). */
export const fieldErrorText = (error: Omit<FieldError, 'message'>, lang: Lang): string =>
  error.rule === 'required' || error.rule === 'empty' ? unnamed[lang] : issueText(error, lang)

/** Uses own properties only: a caller may send a field named `toString`, which every object inherits. */
const ownField = ({ shape }: z.ZodObject, name: string): z.ZodType | undefined =>
  shape && Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined

/** Walks from a schema to the one at `path`, through objects, arrays and wrappers; undefined outside of the shape. */
const schemaAt = (root: z.ZodType, path: PropertyKey[]): z.ZodType | undefined => {
  let at: z.ZodType | undefined = root
  for (const key of path) {
    while (at && !('shape' in at) && !('element' in at)) at = unwrap(at)
    if (!at) return undefined
    if (typeof key === 'number') at = (at as z.ZodArray).element as z.ZodType | undefined
    else at = ownField(at as z.ZodObject, String(key))
  }
  return at
}

const namedAt = (root: z.ZodType, path: PropertyKey[]): Label | undefined => {
  const found = schemaAt(root, path)
  return found && labelOf(found)
}

/** Of the field itself; inside of a list with the name of the list and the number of the row. */
const labelAt = (root: z.ZodType, path: PropertyKey[]): Label | undefined => {
  const cut = path.findLastIndex((key) => typeof key === 'number')
  if (cut < 0) return namedAt(root, path)
  const list = labelAt(root, path.slice(0, cut)) ?? { title: '', titleEn: '' }
  const row = Number(path[cut]) + 1
  const inside = path.slice(cut + 1)
  if (inside.length === 0) {
    return {
      title: `${list.title}第 ${row} 项`,
      titleEn: list.titleEn ? `${list.titleEn}, item ${row}` : `Item ${row}`,
    }
  }
  const name = inside.map(String).join('.')
  const leaf = namedAt(root, path) ?? { title: ` ${name} `, titleEn: name }
  const rowEn = list.titleEn ? `${list.titleEn}, row ${row}` : `Row ${row}`
  return { title: `${list.title}第 ${row} 行${leaf.title}`, titleEn: `${rowEn}, ${leaf.titleEn}` }
}

const tooLittle = { string: 'tooShort', array: 'tooFew' } as const
const tooMuch = { string: 'tooLong', array: 'tooMany' } as const
const isSized = (origin: string | undefined): origin is keyof typeof tooMuch =>
  origin === 'string' || origin === 'array'

const ruleOf = (issue: z.core.$ZodIssue): Pick<FieldError, 'rule' | 'bound' | 'hint'> => {
  const origin = 'origin' in issue ? issue.origin : undefined
  switch (issue.code) {
    case 'invalid_type':
      return { rule: issue.input == null ? 'required' : 'type' }
    case 'unrecognized_keys':
      return { rule: 'unknown' }
    case 'too_small':
      if (isSized(origin) && issue.minimum === 1) return { rule: 'required' }
      return { rule: isSized(origin) ? tooLittle[origin] : 'tooSmall', bound: Number(issue.minimum) }
    case 'too_big':
      return { rule: isSized(origin) ? tooMuch[origin] : 'tooBig', bound: Number(issue.maximum) }
    case 'not_multiple_of':
      return { rule: 'step', bound: Number(issue.divisor) }
    case 'invalid_value':
      return { rule: issue.input == null ? 'required' : 'choice' }
    case 'invalid_format':
      return { rule: 'format', ...hintOf(issue) }
    case 'custom':
      // Of custom checks, which name a rule of the table above.
      return (issue.params as { rule: Rule; bound?: string } | undefined) ?? { rule: 'format' }
    default:
      return { rule: 'type' }
  }
}

/** The rejected fields of a decoding error, each with its Chinese message (the language of the wire). */
export const fieldErrors = (schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): FieldError[] =>
  issues.flatMap((issue) => {
    const { rule, bound, hint } = ruleOf(issue)
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return paths.map((path) => {
      const label = labelAt(schema, path)
      const error = {
        field: path.map(String).join('.'),
        rule,
        ...(bound !== undefined && { bound }),
        ...(label && { label }),
        ...(hint && { hint }),
      }
      return { ...error, message: issueText(error, 'zh-cn') }
    })
  })
