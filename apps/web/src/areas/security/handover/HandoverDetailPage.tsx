import { type HandoverDetail, HandoverRow, handovers } from '@tocsin/contract/security/handover'
import {
  type HandoverVerb,
  handoverRule,
  handoverVerbs,
  whyNotHandoverVerb,
} from '@tocsin/contract/security/handover-machine'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { notify } from '#ui/notify.ts'
import { prompt } from '#ui/prompt/prompt.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import '../duty.css'
import { HandoverList } from './HandoverList.tsx'

const POLL_MS = 15_000

const factColumns = [
  column(HandoverRow, 'giverName'),
  column(HandoverRow, 'givenAt'),
  column(HandoverRow, 'takerName'),
  column(HandoverRow, 'takenAt'),
  column(HandoverRow, 'note'),
  column(HandoverRow, 'takerNote'),
]

const useVerbs = ({ id, version, note }: HandoverDetail) => {
  const { t } = useTranslation()
  const give = useApiMutation(handovers.give)
  const take = useApiMutation(handovers.take)
  const change = useApiMutation(handovers.note)
  const cancel = useApiMutation(handovers.cancel)
  const ref = { id, version }
  const runs: Record<HandoverVerb, () => void> = {
    give: () => give.mutate({ body: ref }, { onSuccess: () => notify.success(t('handover.given')) }),
    take: () => {
      void prompt({ title: t('handover.takeAsk'), label: t('handover.takerNote') }).then((answer) => {
        if (answer.result !== 'confirm') return
        take.mutate(
          { body: { ...ref, note: answer.value.trim() || null } },
          { onSuccess: () => notify.success(t('handover.taken')) },
        )
      })
    },
    note: () => {
      void prompt({ title: t('handover.note'), label: t('handover.note'), initial: note ?? '' }).then((answer) => {
        if (answer.result === 'confirm') change.mutate({ body: { ...ref, note: answer.value.trim() || null } })
      })
    },
    cancel: () => {
      void confirm({ title: t('handover.cancelAsk'), yes: t('handover.cancelYes'), danger: true }).then(
        (isSure) => isSure && cancel.mutate({ body: ref }),
      )
    },
  }
  return { runs, isPending: give.isPending || take.isPending || cancel.isPending || change.isPending }
}

const Actions = ({ handover }: { handover: HandoverDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySign = useHasPermission('security:handover:sign')
  const { runs, isPending } = useVerbs(handover)
  const { state, isGiver, summary } = handover
  const isPossible = (verb: HandoverVerb) => !whyNotHandoverVerb(verb, { state, isGiver, lacking: 0 })
  const signs = handoverVerbs.filter((verb) => handoverRule(verb).needsOwners && isPossible(verb))
  return (
    <Flex gap="small" wrap className="workflow-verbs handover-verbs">
      {maySign &&
        signs.map((verb) => (
          <Button
            key={verb}
            type="primary"
            loading={isPending}
            disabled={summary.lacking > 0}
            onClick={() => runs[verb]()}
          >
            {summary.lacking > 0
              ? t('handover.lacking', { n: summary.lacking })
              : enumLabel('handoverVerb', verb, lang)}
          </Button>
        ))}
      <Button onClick={() => window.print()}>{t('duty.print')}</Button>
      {maySign && isPossible('note') && (
        <Button onClick={() => runs.note()}>{enumLabel('handoverVerb', 'note', lang)}</Button>
      )}
      {maySign && isPossible('cancel') && (
        <Button type="text" onClick={() => runs.cancel()}>
          {enumLabel('handoverVerb', 'cancel', lang)}
        </Button>
      )}
    </Flex>
  )
}

const Detail = ({ handover }: { handover: HandoverDetail }) => {
  const { t } = useTranslation()
  const { state, ownerName, summary, isGiver, giverName } = handover
  const isOpen = state === 'DRAFT' || state === 'GIVEN'
  return (
    <div className="duty-print">
      <WorkflowPage
        title={t('handover.of', { name: ownerName })}
        tags={<EnumTag kind="handoverState" value={state} />}
        subtitle={t(isOpen ? 'handover.asOfNow' : 'handover.asOf', { time: formatDateTime(summary.at) })}
        actions={<Actions handover={handover} />}
      >
        <Flex vertical gap="large">
          {isOpen && summary.lacking > 0 && (
            <Alert type="warning" showIcon title={t('handover.lackingHelp', { n: summary.lacking })} />
          )}
          {state === 'GIVEN' && summary.lacking === 0 && (
            <Alert
              type="info"
              showIcon
              title={isGiver ? t('handover.waitForTaker') : t('handover.waitForYou', { name: giverName })}
            />
          )}
          <DescriptionList row={handover} columns={factColumns} title={t('handover.signatures')} />
          <HandoverList summary={summary} isOpen={isOpen} />
        </Flex>
      </WorkflowPage>
    </div>
  )
}

/** One handover: what is open, who signed, and the next signature as the one filled button. */
export const HandoverDetailPage = () => {
  const { id } = useParams()
  const query = useQuery({
    ...inlineQuery(handovers.get, { query: { id: Number(id) } }),
    refetchInterval: POLL_MS,
  })
  const name = query.data?.ownerName
  usePageTitle(name ? { name: `交接班 ${name}`, nameEn: `Handover ${name}` } : undefined)
  return <QueryResult query={query}>{(handover) => <Detail handover={handover} />}</QueryResult>
}
