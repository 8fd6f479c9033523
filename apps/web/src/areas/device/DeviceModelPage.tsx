import { type DeviceModel, deviceModels } from '@tocsin/contract/device/model'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { modelColumns } from './model-columns.tsx'
import { ModelDrawer } from './ModelDrawer.tsx'

const query = deviceModels.page.query

export const DeviceModelPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<DeviceModel>()
  return (
    <>
      <ListPage
        query={query}
        source={(given) => queryFor(deviceModels.page, { query: given })}
        columns={modelColumns}
        rowKey={({ id }) => id}
        filters={
          <Filter of={query} name="keyword">
            <Input allowClear maxLength={64} />
          </Filter>
        }
        onOpen={setOpen}
        actions={(model) => (
          <Button size="small" type="link" onClick={() => setOpen(model)}>
            {t('list.detail')}
          </Button>
        )}
        empty={{ text: t('device.noModels') }}
      />
      {open && <ModelDrawer model={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
