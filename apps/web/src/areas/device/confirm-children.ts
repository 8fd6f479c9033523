import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import type { TFunction } from 'i18next'
import { ApiError } from '#api/error.ts'
import { errorText } from '#api/error-display.ts'
import { confirm } from '#ui/confirm.ts'

/** Asks when a gateway was refused because devices hang below it. Resolves true when they may be taken off it. */
export const confirmChildren = async (error: unknown, t: TFunction, lang: Lang): Promise<boolean> => {
  if (!(error instanceof ApiError) || error.code !== codes.gatewayHasChildren.code) return false
  return confirm({ title: t('device.childrenAsk'), text: errorText(error, lang), danger: true })
}
