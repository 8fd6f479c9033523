import { nextStep } from '@tocsin/contract/alarm/assignment-machine'
import { assignments } from '@tocsin/contract/alarm/assignment'
import { CATEGORY_DICT, SituationDetail } from '@tocsin/contract/police/situation'
import { situationCalls, situations } from '@tocsin/contract/police/situations'
import type { AssignedUnit } from '@tocsin/contract/police/unit'
import { Button, Card, Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { makeStepKey } from '#api/wire/step-key.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { prompt } from '#ui/prompt/prompt.tsx'
import { formatTime } from '#ui/time.ts'
import { DueClock } from '#ui/workflow/DueClock.tsx'
import { EventTimeline } from '#ui/workflow/EventTimeline.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'
import { toAttachments } from './log-attachments.ts'
import { Reports } from './Reports.tsx'

const phone = (number: string | null) => (number ? <a href={`tel:${number}`}>{number}</a> : '–')

const facts = [
  column(SituationDetail, 'summary'),
  column(SituationDetail, 'category', { show: (value) => <DictTag type={CATEGORY_DICT} value={value} /> }),
  column(SituationDetail, 'source', { word: 'situationSource' }),
  column(SituationDetail, 'stationName'),
  column(SituationDetail, 'ownerName'),
  column(SituationDetail, 'receivedAt'),
  column(SituationDetail, 'disposition', { word: 'situationDisposition' }),
  column(SituationDetail, 'result'),
  column(SituationDetail, 'reason'),
]
const contacts = [
  column(SituationDetail, 'schoolName'),
  column(SituationDetail, 'place'),
  column(SituationDetail, 'address'),
  column(SituationDetail, 'dutyPhone', { show: phone }),
  column(SituationDetail, 'stationPhone', { show: phone }),
  column(SituationDetail, 'reporterName'),
  column(SituationDetail, 'reporterMobile', { show: phone }),
  column(SituationDetail, 'externalNo'),
]

/** State and grade; an unclaimed incident is urgent. */
export const SituationTags = ({
  situation,
}: {
  situation: Pick<SituationDetail, 'state' | 'ownerId' | 'grade' | 'mode'>
}) => {
  const { t } = useTranslation()
  const isUnclaimed = situation.state === 'RECEIVED' && situation.ownerId === null
  return (
    <>
      <EnumTag kind="level" value={situation.grade} />
      {isUnclaimed ? (
        <ToneTag tone="alarm">{t('police.unclaimed')}</ToneTag>
      ) : (
        <EnumTag kind="situationState" value={situation.state} />
      )}
      {situation.mode !== 'LIVE' && <EnumTag kind="mode" value={situation.mode} />}
    </>
  )
}

export const SituationClock = ({
  situation: { dueAt, dueFrom, dueStep },
}: {
  situation: Pick<SituationDetail, 'dueAt' | 'dueFrom' | 'dueStep'>
}) => {
  const lang = useLang()
  if (!dueAt || !dueStep) return null
  return <DueClock dueAt={dueAt} {...(dueFrom && { from: dueFrom })} label={enumLabel('dueStep', dueStep, lang)} />
}

const stamps = ['assignedAt', 'receivedAt', 'departedAt', 'arrivedAt', 'endedAt'] as const
const stampWords = ['dispatch', 'receive', 'depart', 'arrive', 'clear'] as const

/** The next step of a unit, reported by the desk, and the recall. */
const UnitSteps = ({ situation, unit }: { situation: SituationDetail; unit: AssignedUnit }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySend = useHasPermission('police:situation:dispatch')
  const mayStep = useHasPermission('warn:task:update')
  const options = { also: [situations.page] }
  const calls = {
    receive: useApiMutation(assignments.receive, options),
    depart: useApiMutation(assignments.depart, options),
    arrive: useApiMutation(assignments.arrive, options),
    clear: useApiMutation(assignments.clear, options),
  }
  const recall = useApiMutation(situationCalls.recall)
  const next = unit.state === 'ASSIGNED' || unit.state === 'TIMED_OUT' ? 'receive' : nextStep(unit.state)
  if (!next) return null
  const word = enumLabel('situationVerb', 'recall', lang)
  const ask = async () => {
    const given = await prompt({
      title: `${word} ${unit.unitName}`,
      label: enumLabel('situationVerb', 'note', lang),
      pattern: /\S/,
    })
    if (given.result !== 'confirm') return
    const { id, version } = situation
    const reason = String(given.value).trim().slice(0, 200)
    recall.mutate({ body: { id, version, assignmentId: unit.id, reason } })
  }
  const { mutate, isPending } = calls[next]
  return (
    <Flex gap="small">
      {mayStep && (maySend || unit.isOwn) && (
        <Button
          size="small"
          loading={isPending}
          onClick={() => mutate({ body: { id: unit.id, stepKey: makeStepKey() } })}
        >
          {t(`police.${next}`)}
        </Button>
      )}
      {maySend && (
        <Button size="small" type="text" loading={recall.isPending} onClick={() => void ask()}>
          {word}
        </Button>
      )}
    </Flex>
  )
}

const UnitRows = ({ situation }: { situation: SituationDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  if (situation.units.length === 0) return <Typography.Text type="secondary">{t('police.nobodySent')}</Typography.Text>
  return (
    <Flex vertical gap="small">
      {situation.units.map((unit) => (
        <Flex key={unit.id} data-unit={unit.id} gap="small" align="center" wrap justify="space-between">
          <Flex gap="small" align="center" wrap>
            <strong>{unit.unitName}</strong>
            <EnumTag kind="assignmentState" value={unit.state} />
            {unit.state === 'TIMED_OUT' && <ToneTag tone="wait">{t('police.sendAnother')}</ToneTag>}
            {stamps.map((name, at) => {
              const stamp = unit[name]
              const word = stampWords[at] ?? 'dispatch'
              if (!stamp) return null
              return (
                <span key={name} className="stamp">
                  {word === 'dispatch' ? enumLabel('situationVerb', word, lang) : t(`police.${word}`)}{' '}
                  {formatTime(stamp)}
                </span>
              )
            })}
          </Flex>
          <UnitSteps situation={situation} unit={unit} />
        </Flex>
      ))}
    </Flex>
  )
}

const Links = ({
  situation: { warnRecordId, recordNo, linked, mergedInto, merged },
}: {
  situation: SituationDetail
}) => {
  const { t } = useTranslation()
  const to = (id: number) => `/police/situation/detail/${id}`
  return (
    <Flex gap="middle" wrap>
      {warnRecordId !== null && (
        <Link to={`/warn/record?record=${warnRecordId}`}>
          {t('police.alarm')} {recordNo}
        </Link>
      )}
      {linked && <Link to={to(linked.id)}>{t('police.linked', { no: linked.no })}</Link>}
      {mergedInto && <Link to={to(mergedInto.id)}>{t('police.mergedInto', { no: mergedInto.no })}</Link>}
      {merged.length > 0 && (
        <span>
          {t('police.merged')}:{' '}
          {merged.map(({ id, no }) => (
            <Link key={id} to={to(id)}>{` ${no}`}</Link>
          ))}
        </span>
      )}
    </Flex>
  )
}

/** Units with their times, facts and contacts of one incident. */
export const SituationFacts = ({ situation }: { situation: SituationDetail }) => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="middle">
      <Card size="small" title={t('police.unitsTitle')}>
        <UnitRows situation={situation} />
      </Card>
      <Reports situation={situation} />
      <Links situation={situation} />
      <DescriptionList title={t('police.facts')} row={situation} columns={facts} />
      <DescriptionList title={t('police.contacts')} row={situation} columns={contacts} />
    </Flex>
  )
}

export const SituationTimeline = ({ situation }: { situation: SituationDetail }) => {
  const lang = useLang()
  return (
    <EventTimeline
      events={situation.log.map(({ id, at, verb, reportKind, unitName, text, files, ...actor }) => ({
        key: id,
        at,
        who: formatActor(actor),
        what: [
          enumLabel('situationLogVerb', verb, lang),
          reportKind && enumLabel('reportKind', reportKind, lang),
          unitName,
        ]
          .filter(Boolean)
          .join(' '),
        note: text,
        ...(files.length > 0 && {
          attachments: <AttachmentList attachments={toAttachments(files)} />,
        }),
      }))}
    />
  )
}
