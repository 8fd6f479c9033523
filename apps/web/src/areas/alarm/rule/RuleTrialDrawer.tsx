import { type WarnRule, WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import { MAX_TRIAL_SIGNALS, type RuleTrial, ruleTrials, TrialAlarm } from '@tocsin/contract/alarm/rule-trial'
import { labelIn } from '@tocsin/contract/field'
import { useQuery } from '@tanstack/react-query'
import { Alert, Divider, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'
import { toTrialDraft } from './rule-draft.ts'

const columns = [
  column(TrialAlarm, 'at', { width: 180 }),
  column(TrialAlarm, 'sn'),
  column(TrialAlarm, 'schoolName'),
  column(TrialAlarm, 'code', { word: 'alarmCode' }),
  column(TrialAlarm, 'recordNo'),
]

const Result = ({ trial, text }: { trial: RuleTrial; text: 'ruleTrial.history' | 'ruleTrial.live' }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { alarms, real, signals, since, isCut, latest } = trial
  return (
    <Flex vertical gap="small">
      <Alert
        type="info"
        showIcon
        title={t(text, { alarms, real })}
        description={t('ruleTrial.signals', { n: signals, since: formatDateTime(since) })}
      />
      {isCut && <Alert type="warning" showIcon title={t('ruleTrial.cut', { n: MAX_TRIAL_SIGNALS })} />}
      <ScrollTable<TrialAlarm>
        size="small"
        rowKey={({ at, sn }) => `${sn} ${at.getTime()}`}
        dataSource={latest}
        pagination={false}
        locale={{ emptyText: t('ruleTrial.none') }}
        columns={columns.map((column) => tableColumn<TrialAlarm>(column, lang))}
      />
    </Flex>
  )
}

const labelOfField = (name: string, lang: ReturnType<typeof useLang>): string => {
  const field = (WarnRuleDraft.shape as Record<string, z.ZodType>)[name]
  return field ? labelIn(lang, field) : name
}

const kinds: Record<string, 'warnClass' | 'ruleCondition' | 'ruleSchedule' | 'dedup'> = {
  class: 'warnClass',
  condition: 'ruleCondition',
  schedule: 'ruleSchedule',
  dedupBy: 'dedup',
}

const FieldValue = ({ name, json }: { name: string; json: string | null }) => {
  const value: unknown = json === null ? null : JSON.parse(json)
  const kind = kinds[name]
  if (kind && typeof value === 'string') return <EnumLabel kind={kind} value={value} />
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  return value === null ? '–' : String(value)
}

const Versions = ({ ruleId }: { ruleId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery(inlineQuery(ruleTrials.versions, { query: { ruleId } }))
  return (
    <QueryResult query={query}>
      {(versions) => (
        <Flex vertical gap="middle">
          {versions.map(({ version, at, byName, changes }) => (
            <section key={version}>
              <Typography.Text strong>
                {t('ruleTrial.version', { n: version, at: formatDateTime(at), by: byName ?? t('ruleTrial.system') })}
              </Typography.Text>
              {changes.length === 0 && <div>{t('ruleTrial.unchanged')}</div>}
              {changes.map(({ field, before, after }) => (
                <div key={field}>
                  {labelOfField(field, lang)}: {before !== null && <FieldValue name={field} json={before} />}
                  {before !== null && ' → '}
                  <FieldValue name={field} json={after} />
                </div>
              ))}
            </section>
          ))}
        </Flex>
      )}
    </QueryResult>
  )
}

const Live = ({ ruleId }: { ruleId: number }) => {
  const query = useQuery(inlineQuery(ruleTrials.shadow, { query: { ruleId } }))
  return <QueryResult query={query}>{(trial) => <Result trial={trial} text="ruleTrial.live" />}</QueryResult>
}

/** What a rule would have raised, live and in 90 days, and its versions. */
export const RuleTrialDrawer = ({ rule, onClose }: { rule: WarnRule; onClose: () => void }) => {
  const { t } = useTranslation()
  const history = useQuery(inlineQuery(ruleTrials.preview, { body: toTrialDraft(rule) }))
  return (
    <ReadDrawer onClose={onClose} size="min(760px, 100vw)" title={t('ruleTrial.title', { name: rule.name })}>
      <Flex vertical gap="middle">
        {rule.shadow && <Live ruleId={rule.id} />}
        <QueryResult query={history}>{(trial) => <Result trial={trial} text="ruleTrial.history" />}</QueryResult>
        <Divider titlePlacement="start">{t('ruleTrial.versions')}</Divider>
        <Versions ruleId={rule.id} />
      </Flex>
    </ReadDrawer>
  )
}
