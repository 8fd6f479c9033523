import type { DictDataRow } from '@tocsin/contract/system/dict'

export const dictColors = {
  default: 'dict.colorDefault',
  primary: 'dict.colorPrimary',
  success: 'dict.colorSuccess',
  info: 'dict.colorInfo',
  warning: 'dict.colorWarning',
  danger: 'dict.colorDanger',
} as const satisfies Record<NonNullable<DictDataRow['colorType']>, string>
