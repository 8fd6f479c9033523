import type { AuditLogRow } from '@tocsin/contract/audit/audit-log'
import { Select, type SelectProps, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel, type EnumKind, enumOptions, enumValues } from '#texts/enum-labels.ts'

/** The label of an action; an action without a label is shown unchanged. */
export const Operation = ({ row }: { row: AuditLogRow }) => <>{enumLabel('auditVerb', row.subType, useLang())}</>

/** A select of labels of one kind; a value without a label is found by the action. */
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
  if (subject === null) return <>–</>
  return (
    <>
      {enumLabel('auditSubject', subject, lang)}
      {bizId !== null && <span className="figures"> #{bizId}</span>}
    </>
  )
}

/** 200 is success; other values are the code of the error. */
export const Outcome = ({ result }: { result: number }) => {
  const { t } = useTranslation()
  return (
    <Tag color={result === 200 ? 'green' : 'red'} style={{ marginInlineEnd: 0 }}>
      {result === 200 ? t('log.done') : t('log.refused', { code: result })}
    </Tag>
  )
}
