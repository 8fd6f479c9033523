import type { ProcedureDetail, ProcedureVersionRow } from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { type VerbButton, VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { ScopeText, ProcedureName } from './procedure-columns.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { RunList } from './run/RunList.tsx'
import { StepList } from './StepList.tsx'
import { useProcedureVerbs } from './use-procedure-verbs.ts'

const Actions = ({ procedure }: { procedure: ProcedureDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [isPublishing, setPublishing] = useState(false)
  const { verbs } = useProcedureVerbs()(procedure)
  const retire = useApiMutation(procedures.retire, { done: () => notify.success(t('procedure.retired')) })
  const remove = useApiMutation(procedures.remove, {
    done: () => {
      notify.success(t('list.deleted'))
      void navigate(`/device/procedure?kind=${procedure.kind}`)
    },
  })
  const { id, version } = procedure
  const askRetire = async () => {
    const question = { title: t('procedure.retireAsk'), text: t('procedure.retireHelp'), danger: true }
    if (await confirm(question)) retire.mutate({ body: { id, version } })
  }
  const askDelete = async () => {
    if (await confirm({ title: t('list.deleteAsk'), text: procedure.name, danger: true }))
      remove.mutate({ query: { id } })
  }
  const runs = {
    publish: () => setPublishing(true),
    update: () => void navigate(`/device/procedure/${id}/edit`),
    retire: () => void askRetire(),
    delete: () => void askDelete(),
  }
  const buttons = verbs.map(
    (verb): VerbButton => ({
      key: verb,
      label: enumLabel('procedureVerb', verb, lang),
      run: runs[verb],
      danger: verb === 'retire' || verb === 'delete',
    }),
  )
  return (
    <>
      <VerbButtons verbs={buttons} />
      {isPublishing && <PublishDialog procedure={procedure} onClose={() => setPublishing(false)} />}
    </>
  )
}

const Versions = ({ versions }: { versions: readonly ProcedureVersionRow[] }) => {
  const { t } = useTranslation()
  if (versions.length === 0) return <p>{t('procedure.noVersions')}</p>
  return (
    <Flex vertical gap="middle">
      {versions.map((version) => (
        <details key={version.no}>
          <summary>
            {t('procedure.versionLine', {
              no: version.no,
              at: formatDateTime(version.publishedAt),
              by: version.publishedByName ?? t('procedure.system'),
              draftedBy: version.draftedByName ?? t('procedure.system'),
            })}
          </summary>
          <p>
            <ScopeText scope={version} />
          </p>
          <StepList items={version.steps.map((step) => ({ step }))} />
        </details>
      ))}
    </Flex>
  )
}

const Detail = ({ procedure }: { procedure: ProcedureDetail }) => {
  const { t } = useTranslation()
  const { waits } = useProcedureVerbs()(procedure)
  const { id, status, versionNo, changed, steps, versions, editedByName } = procedure
  return (
    <WorkflowPage
      title={<ProcedureName of={procedure} />}
      tags={
        <>
          <EnumTag kind="procedureStatus" value={status} />
          {versionNo !== null && <span>v{versionNo}</span>}
        </>
      }
      subtitle={<ScopeText scope={procedure} />}
      actions={<Actions procedure={procedure} />}
    >
      <Flex vertical gap="middle">
        {changed && (
          <Alert
            type="warning"
            showIcon
            title={
              waits
                ? t('procedure.waitsForOther')
                : t('procedure.waitsForPublisher', { name: editedByName ?? t('procedure.system') })
            }
          />
        )}
        <Tabs
          destroyOnHidden
          items={[
            {
              key: 'steps',
              label: t('procedure.steps', { n: steps.length }),
              children: <StepList items={steps.map((step) => ({ step }))} />,
            },
            {
              key: 'versions',
              label: t('procedure.versions', { n: versions.length }),
              children: <Versions versions={versions} />,
            },
            { key: 'runs', label: t('procedure.runs'), children: <RunList procedureId={id} /> },
          ]}
        />
      </Flex>
    </WorkflowPage>
  )
}

/** One procedure: its draft, its versions, and where it was used. */
export const ProcedureDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(procedures.get, { query: { id: Number(id) } }))
  const { name, nameEn } = query.data ?? {}
  usePageTitle(name && nameEn ? { name, nameEn } : undefined)
  return <QueryResult query={query}>{(procedure) => <Detail procedure={procedure} />}</QueryResult>
}
