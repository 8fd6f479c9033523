import { PlusOutlined } from '@ant-design/icons'
import { warnClasses } from '@tocsin/contract/alarm-class'
import {
  procedureKinds,
  type ProcedureKind,
  ProcedureQuery,
  workKinds,
} from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { PROCEDURE_CREATE, procedureStatuses } from '@tocsin/contract/device/procedure/procedure-machine'
import { Button, Flex, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { BuiltInDrawer } from './BuiltInDrawer.tsx'
import { CoverageGrid } from './CoverageGrid.tsx'
import { MissingPlans } from './MissingPlans.tsx'
import { procedureColumns } from './procedure-columns.tsx'

const Filters = ({ kind }: { kind: ProcedureKind }) => (
  <>
    <Filter of={ProcedureQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    {kind === 'RESPONSE' ? (
      <Filter of={ProcedureQuery} name="class">
        <EnumSelect kind="warnClass" values={warnClasses} />
      </Filter>
    ) : (
      <Filter of={ProcedureQuery} name="work">
        <EnumSelect kind="workKind" values={workKinds} />
      </Filter>
    )}
    <Filter of={ProcedureQuery} name="status">
      <EnumSelect kind="procedureStatus" values={procedureStatuses} />
    </Filter>
  </>
)

/** The kind is in the address, so that a link opens the right tab. */
const useKind = () => {
  const [params, setParams] = useSearchParams()
  const kind: ProcedureKind = params.get('kind') === 'WORK' ? 'WORK' : 'RESPONSE'
  return [kind, (next: ProcedureKind) => setParams({ kind: next })] as const
}

type BarProps = { kind: ProcedureKind; onCopy: () => void; onCoverage: () => void }

const Bar = ({ kind, onCopy, onCoverage }: BarProps) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission(PROCEDURE_CREATE)
  return (
    <Flex gap="small" wrap>
      {mayCreate && (
        <>
          <Button
            type="primary"
            icon={<PlusOutlined />}
            onClick={() => void navigate(`/device/procedure/new?kind=${kind}`)}
          >
            {t('list.create')}
          </Button>
          <Button onClick={onCopy}>{t('procedure.copyBuiltIn')}</Button>
        </>
      )}
      {kind === 'RESPONSE' && <Button onClick={onCoverage}>{t('procedure.coverage')}</Button>}
    </Flex>
  )
}

/** Procedures: response plans and work procedures, with what is in force. */
export const ProcedurePage = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [kind, setKind] = useKind()
  const mayCreate = useHasPermission(PROCEDURE_CREATE)
  const maySeePackages = useHasPermission('device:rollout:query')
  const [isCopying, setCopying] = useState(false)
  const [hasCoverage, setCoverage] = useState(false)
  const open = ({ id }: { id: number }) => void navigate(`/device/procedure/${id}`)
  return (
    <Flex vertical gap="middle">
      <Segmented<ProcedureKind | 'PROGRAM'>
        aria-label={t('procedure.kinds')}
        value={kind}
        options={[
          ...enumOptions('procedureKind', procedureKinds, lang),
          ...(maySeePackages ? [{ value: 'PROGRAM' as const, label: t('rollout.packages') }] : []),
        ]}
        onChange={(next) => (next === 'PROGRAM' ? void navigate('/device/rollout?tab=packages') : setKind(next))}
        style={{ alignSelf: 'start' }}
      />
      {kind === 'RESPONSE' && <MissingPlans />}
      {hasCoverage && kind === 'RESPONSE' && <CoverageGrid />}
      <ListPage
        key={kind}
        query={ProcedureQuery}
        source={(query) => queryFor(procedures.page, { query: { ...query, kind: [kind] } })}
        columns={procedureColumns}
        rowKey={({ id }) => id}
        filters={<Filters kind={kind} />}
        left={<Bar kind={kind} onCopy={() => setCopying(true)} onCoverage={() => setCoverage(!hasCoverage)} />}
        onOpen={open}
        actions={(row) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(row) }]} />}
        empty={{
          text: t(kind === 'RESPONSE' ? 'procedure.noResponse' : 'procedure.noWork'),
          next: mayCreate && (
            <Button type="primary" onClick={() => setCopying(true)}>
              {t('procedure.copyBuiltIn')}
            </Button>
          ),
        }}
      />
      {isCopying && <BuiltInDrawer kind={kind} onClose={() => setCopying(false)} />}
    </Flex>
  )
}
