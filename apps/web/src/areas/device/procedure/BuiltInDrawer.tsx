import type { ProcedureKind } from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { notify } from '#ui/notify.ts'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ProcedureName, ScopeText } from './procedure-columns.tsx'
import { StepList } from './StepList.tsx'

/** The procedures that ship with the product; a copy is a draft that opens at once. */
export const BuiltInDrawer = ({ kind, onClose }: { kind: ProcedureKind; onClose: () => void }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const query = useQuery(inlineQuery(procedures.builtIn))
  const copy = useApiMutation(procedures.copy)
  const take = (key: string) =>
    copy.mutate(
      { body: { key } },
      {
        onSuccess: (id) => {
          notify.success(t('list.created'))
          onClose()
          void navigate(`/device/procedure/${id}`)
        },
      },
    )
  return (
    <ReadDrawer size="min(640px, 100vw)" title={t('procedure.copyBuiltIn')} onClose={onClose}>
      <QueryResult query={query}>
        {(list) => (
          <Flex vertical gap="middle">
            {list
              .filter((item) => item.kind === kind)
              .map((item) => (
                <Card
                  key={item.key}
                  size="small"
                  title={<ProcedureName of={item} />}
                  extra={
                    <Button size="small" loading={copy.isPending} onClick={() => take(item.key)}>
                      {t('procedure.copy')}
                    </Button>
                  }
                >
                  <p className="procedure-minor">
                    <ScopeText scope={item} />
                  </p>
                  <StepList items={item.steps.map((step) => ({ step }))} />
                </Card>
              ))}
          </Flex>
        )}
      </QueryResult>
    </ReadDrawer>
  )
}
