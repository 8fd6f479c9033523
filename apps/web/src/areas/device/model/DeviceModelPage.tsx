import { DeviceModelQuery, type DeviceModelRow, deviceKinds, deviceModels } from '@tocsin/contract/device/model'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { modelColumns } from './model-columns.tsx'
import { ModelDrawer } from './ModelDrawer.tsx'

const filters = (
  <>
    <Filter of={DeviceModelQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={DeviceModelQuery} name="kind">
      <EnumSelect kind="deviceKind" values={deviceKinds} />
    </Filter>
  </>
)

type Open = { what: 'new' } | { what: 'edit' | 'copy'; model: DeviceModelRow }

export const DeviceModelPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayCreate = useHasPermission('device:model:create')
  const mayUpdate = useHasPermission('device:model:update')
  const mayDelete = useHasPermission('device:model:delete')
  const mayExport = useHasPermission('device:model:export')
  const remove = useDeletion(deviceModels.delete)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  const whyKept = ({ deviceCount }: DeviceModelRow) =>
    deviceCount > 0 ? t('device.modelInUse', { n: deviceCount }) : undefined
  return (
    <>
      <ListPage
        query={DeviceModelQuery}
        source={(given) => queryFor(deviceModels.page, { query: given })}
        columns={modelColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={create}
        exporting={(query) => mayExport && <ExportButton calls={deviceModels} query={query} />}
        onOpen={(model) => setOpen({ what: 'edit', model })}
        actions={(model) => (
          <RowActions
            items={[
              {
                key: 'edit',
                label: t(mayUpdate ? 'list.edit' : 'list.detail'),
                run: () => setOpen({ what: 'edit', model }),
              },
              mayCreate && { key: 'copy', label: t('device.copyModel'), run: () => setOpen({ what: 'copy', model }) },
              mayDelete && {
                key: 'delete',
                label: t('list.delete'),
                run: () => void remove(model.id, `${model.vendor} ${model.name}`),
                danger: true,
                why: whyKept(model),
              },
            ]}
          />
        )}
        empty={{ text: t('device.noModels'), next: create }}
      />
      {open && (
        <ModelDrawer
          key={`${open.what} ${open.what === 'new' ? '' : open.model.id}`}
          open={open}
          readOnly={open.what === 'edit' && !mayUpdate}
          onCopy={(model) => setOpen({ what: 'copy', model })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
