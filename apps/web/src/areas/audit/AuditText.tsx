import type { AuditLogRow } from '@tocsin/contract/audit/audit-log'
import { Select, type SelectProps, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel, type EnumKind, enumOptions, enumValues } from '#texts/enum-labels.ts'

/** What was done, in a word; one nobody translated as it came. */
export const Operation = ({ row }: { row: AuditLogRow }) => <>{enumLabel('auditVerb', row.subType, useLang())}</>

/** One of the words of a kind, by its name; what has no name is found by the action. */
export const OneWord = ({ kind, ...rest }: { kind: EnumKind } & SelectProps<string>) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Select<string>
      allowClear
      placeholder={t('list.all')}
      options={enumOptions(kind, enumValues(kind), lang)}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      {...rest}
    />
  )
}

export const Subject = ({ row: { subject, bizId } }: { row: AuditLogRow }) => {
  const lang = useLang()
  if (subject === null) return <>—</>
  return (
    <>
      {enumLabel('auditSubject', subject, lang)}
      {bizId !== null && <span className="figures"> #{bizId}</span>}
    </>
  )
}

/** 200 is done; anything else the code it was refused with. */
export const Outcome = ({ result }: { result: number }) => {
  const { t } = useTranslation()
  return (
    <Tag color={result === 200 ? 'green' : 'red'} style={{ marginInlineEnd: 0 }}>
      {result === 200 ? t('log.done') : t('log.refused', { code: result })}
    </Tag>
  )
}
