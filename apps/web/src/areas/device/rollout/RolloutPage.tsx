import { PlusOutlined } from '@ant-design/icons'
import { PackageQuery, packageKinds, type PackageRow, RolloutQuery } from '@tocsin/contract/device/rollout/rollout'
import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import { ROLLOUT_CREATE, rolloutStates } from '@tocsin/contract/device/rollout/rollout-machine'
import { Button, Flex, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { ModelSelect } from '../ModelSelect.tsx'
import '../device.css'
import { PackageDialog } from './PackageDialog.tsx'
import { packageColumns, rolloutColumns } from './rollout-columns.tsx'
import { RolloutDialog } from './RolloutDialog.tsx'

const kindFilter = (
  <Filter of={RolloutQuery} name="kind">
    <EnumSelect kind="packageKind" values={packageKinds} />
  </Filter>
)
const modelFilter = (
  <Filter of={RolloutQuery} name="modelId">
    <ModelSelect allowClear />
  </Filter>
)

const RolloutList = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission(ROLLOUT_CREATE)
  const [isCreating, setCreating] = useState(false)
  const open = ({ id }: { id: number }) => void navigate(`/device/rollout/${id}`)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t('rollout.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={RolloutQuery}
        source={(query) => queryFor(rollouts.page, { query })}
        columns={rolloutColumns}
        rowKey={({ id }) => id}
        filters={
          <>
            <Filter of={RolloutQuery} name="state">
              <EnumSelect kind="rolloutState" values={rolloutStates} />
            </Filter>
            {kindFilter}
            {modelFilter}
          </>
        }
        left={create}
        onOpen={open}
        actions={(row) => <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(row) }]} />}
        empty={{ text: t('rollout.none'), next: create }}
      />
      {isCreating && <RolloutDialog onClose={() => setCreating(false)} />}
    </>
  )
}

const PackageList = () => {
  const { t } = useTranslation()
  const mayCreate = useHasPermission(ROLLOUT_CREATE)
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<PackageRow>()
  const add = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      {t('rollout.addPackage')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={PackageQuery}
        source={(query) => queryFor(rollouts.packages, { query })}
        columns={packageColumns}
        rowKey={({ id }) => id}
        filters={
          <>
            {kindFilter}
            {modelFilter}
          </>
        }
        left={add}
        actions={(row) =>
          mayCreate && (
            <RowActions items={[{ key: 'rollout', label: t('rollout.create'), run: () => setChosen(row) }]} />
          )
        }
        empty={{ text: t('rollout.noPackages'), next: add }}
      />
      {isAdding && <PackageDialog onClose={() => setAdding(false)} />}
      {chosen && <RolloutDialog packageId={chosen.id} onClose={() => setChosen(undefined)} />}
    </>
  )
}

/** Updates over the air: rollouts with their progress, and the packages they send. */
export const RolloutPage = () => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [tab, setTab] = useState<'rollouts' | 'packages'>(params.get('tab') === 'packages' ? 'packages' : 'rollouts')
  return (
    <Flex vertical gap="middle">
      <Segmented
        aria-label={t('rollout.views')}
        value={tab}
        options={[
          { value: 'rollouts' as const, label: t('rollout.rollouts') },
          { value: 'packages' as const, label: t('rollout.packages') },
        ]}
        onChange={setTab}
        style={{ alignSelf: 'start' }}
      />
      {tab === 'rollouts' ? <RolloutList /> : <PackageList />}
    </Flex>
  )
}
