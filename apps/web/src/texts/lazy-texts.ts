import { demo as demoEn } from './en/system/demo.ts'
import { guide as guideEn } from './en/system/guide.ts'
import { demo } from './zh-cn/system/demo.ts'
import { guide } from './zh-cn/system/guide.ts'

/** Texts that most people never read: added by whoever shows them, no part of what everybody loads. */
export const lazyTexts = { 'zh-cn': { demo, guide }, en: { demo: demoEn, guide: guideEn } } as const
