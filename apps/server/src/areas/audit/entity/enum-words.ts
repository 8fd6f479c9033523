import { auditLabels } from '@tocsin/contract/audit/audit-labels'
import { deviceLabels } from '@tocsin/contract/device/device-labels'
import { type EnumLabels, type Lang, lookupLabel } from '@tocsin/contract/field'
import { policeLabels } from '@tocsin/contract/police/police-labels'
import { schoolLabels } from '@tocsin/contract/school/school-labels'
import { dutyLabels } from '@tocsin/contract/security/duty-labels'

const enabled: EnumLabels<'true' | 'false'> = { true: ['启用', 'Enabled'], false: ['停用', 'Disabled'] }

const words: Record<string, Partial<EnumLabels<string>>> = {
  ...auditLabels,
  ...deviceLabels,
  ...dutyLabels,
  ...policeLabels,
  ...schoolLabels,
  enabled,
}

/** The word of a value in a spreadsheet, by the kind that its schema names; of a list, the words. */
export const enumWord = (kind: string, value: unknown, lang: Lang): string =>
  [value ?? []]
    .flat()
    .map((item) => lookupLabel(words[kind] ?? {}, String(item), lang))
    .join(', ')
