import type { AuditLogRow } from '@tocsin/contract/system/log/audit-log'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { word } from '#texts/words.ts'

/** What was done, in a word; one nobody translated as it came. */
export const Operation = ({ row }: { row: AuditLogRow }) => <>{word('auditVerb', row.subType, useLang())}</>

export const Subject = ({ row: { subject, bizId } }: { row: AuditLogRow }) => {
  const lang = useLang()
  if (subject === null) return <>—</>
  return (
    <>
      {word('auditSubject', subject, lang)}
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
