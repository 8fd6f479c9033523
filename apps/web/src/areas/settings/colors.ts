import type { DictDataRow } from '@tocsin/contract/settings/dict'

export const dictColors = {
  default: 'dict.colorDefault',
  primary: 'dict.colorPrimary',
  success: 'dict.colorSuccess',
  info: 'dict.colorInfo',
  warning: 'dict.colorWarning',
  danger: 'dict.colorDanger',
} as const satisfies Record<NonNullable<DictDataRow['colorType']>, string>
