import { procedureRuns } from '@tocsin/contract/device/procedure/procedure-calls'
import { PROCEDURE_RUN } from '@tocsin/contract/device/procedure/procedure-machine'
import type { WorkChoice } from '@tocsin/contract/device/procedure/run'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ProcedureName } from '../procedure-columns.tsx'
import '../procedure.css'

type Props = { deviceId: number; orderId?: number }

const StartDialog = ({ deviceId, orderId, onClose }: Props & { onClose: () => void }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const choices = useQuery(inlineQuery(procedureRuns.choices))
  const query = { deviceId, state: ['RUNNING' as const] }
  const running = useQuery(inlineQuery(procedureRuns.page, { query }))
  const start = useApiMutation(procedureRuns.start)
  const begin = ({ id: procedureId }: WorkChoice) =>
    start.mutate(
      { body: { procedureId, deviceId, orderId: orderId ?? null } },
      { onSuccess: (id) => void navigate(`/m/run/${id}`) },
    )
  const openRun = (procedureId: number) => running.data?.list.find((run) => run.procedureId === procedureId)
  return (
    <AppModal title={t('procedure.startWork')} footer={null} onCancel={onClose}>
      <QueryResult query={choices}>
        {(list) => (
          <Flex vertical gap="small">
            {list.length === 0 && (
              <p>
                {t('procedure.noChoices')} <Link to="/device/procedure?kind=WORK">{t('procedure.toList')}</Link>
              </p>
            )}
            {list.map((choice) => {
              const open = openRun(choice.id)
              const run = () => (open ? void navigate(`/m/run/${open.id}`) : begin(choice))
              return (
                <Button key={choice.id} block className="run-touch" loading={start.isPending} onClick={run}>
                  <ProcedureName of={choice} />
                  {' · '}
                  {t(open ? 'procedure.resume' : 'procedure.stepCount', { n: choice.stepCount })}
                </Button>
              )
            })}
          </Flex>
        )}
      </QueryResult>
    </AppModal>
  )
}

/** Starts a work procedure at a device, or goes on with the one that is open. */
export const StartRunButton = (props: Props) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const mayRun = useHasPermission(PROCEDURE_RUN)
  if (!mayRun) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('procedure.startWork')}</Button>
      {isOpen && <StartDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
